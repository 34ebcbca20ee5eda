// Which engine this page has: the server that it comes from. The page without a server has
// another version of this file.

export { ask } from './engine_server.js';
