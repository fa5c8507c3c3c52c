"""The cards as data: what an entry may say, how it is checked, printed and packed."""
