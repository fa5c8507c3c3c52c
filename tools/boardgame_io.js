// How many decisions boardgame.io makes: connect four, random legal play, by its reducer alone (no server, no page, no bot class).
//     npm install boardgame.io && NODE_ENV=production NODE_PATH=node_modules node tools/boardgame_io.js
// Beside tools/learn_speed.py: what is counted is seconds of a processor.
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");

const WIDE = 7, HIGH = 6, SECONDS = 3;

function wins(cells, c, r) {
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([x, y]) => {
    let n = 1;
    for (const way of [1, -1])
      for (let k = 1; k < 4; k++) {
        const cc = c + way * k * x, rr = r + way * k * y;
        if (cc < 0 || cc >= WIDE || rr < 0 || rr >= HIGH || cells[cc * HIGH + rr] !== cells[c * HIGH + r]) break;
        n++;
      }
    return n >= 4;
  });
}

const game = {
  setup: () => ({ cells: Array(WIDE * HIGH).fill(null), heights: Array(WIDE).fill(0), won: null, n: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, c) => {
      const r = G.heights[c]++;
      G.cells[c * HIGH + r] = playerID;
      G.n++;
      if (wins(G.cells, c, r)) G.won = playerID;
    },
  },
  endIf: ({ G }) => (G.won !== null ? { winner: G.won } : G.n === WIDE * HIGH ? { draw: true } : undefined),
};

const reducer = CreateGameReducer({ game });

function once() {
  let state = InitializeGame({ game, numPlayers: 2 }), n = 0;
  while (state.ctx.gameover === undefined) {
    const open = [];
    for (let c = 0; c < WIDE; c++) if (state.G.heights[c] < HIGH) open.push(c);
    const args = [open[Math.floor(Math.random() * open.length)]];
    state = reducer(state, { type: "MAKE_MOVE", payload: { type: "drop", args, playerID: state.ctx.currentPlayer } });
    n++;
  }
  return n;
}

for (let i = 0; i < 50; i++) once();
let n = 0;
const start = process.cpuUsage();
const spent = () => { const { user, system } = process.cpuUsage(start); return (user + system) / 1e6; };
while (spent() < SECONDS) n += once();
console.log(`${Math.round(n / spent()).toLocaleString("en")} decisions for each second of a processor`);
