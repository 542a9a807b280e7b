// Resources that the specification does not require: a folder and a line here each, and the route in `API_ROUTES` and
// `BODIES`, because clients read these. Without all of them the rest builds and passes.
export { PolicyReplayController } from '../policy-replay/policy-replay.controller.js';
