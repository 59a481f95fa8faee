// The test kit's public names, listed by hand.
export { type ApiServer, type ApiServerOptions, createApiServer } from '../apiserver/api-server.js'
export { inProcessTransport } from './in-process-transport.js'
export { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './test-plugin.js'
export {
  type Registration,
  startVClusterProcess,
  VClusterProcess,
  type VClusterProcessOptions,
} from './vcluster-process.js'
export { VirtualClock } from './virtual-clock.js'
