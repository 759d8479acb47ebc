// node server.js PORT API_PORT: boardgame.io with its defaults: state in memory, its own socket.io
// server. The lobby's API has a port of its own: on one port, this version does not find its routes.
'use strict';

const { Server } = require('boardgame.io/server');
const { game } = require('./game');

const server = Server({ games: [game], origins: [/localhost/] });
const [port, apiPort] = process.argv.slice(2).map(Number);
server.run({ port, lobbyConfig: { apiPort } });
