// The plugin sync-all-configmaps without an election: on a busy machine it would lose its Lease and exit.
import { register } from '../examples/sync-all-configmaps/register.js'
import { Probes } from '../sdk/engine/health/probes.js'
import { unelected } from '../sdk/engine/leader/unelected.js'
import { processMemory } from '../sdk/engine/observe/memory.js'
import { createPluginRuntime } from '../sdk/vcluster/plugin/plugin-runtime.js'
import { openStandalone } from '../sdk/vcluster/plugin/standalone.js'

const plugin = createPluginRuntime({
  probes: new Probes(process.env),
  memory: processMemory(),
  openSession: async (options) => ({ ...(await openStandalone(options)), lead: () => unelected }),
})
register(plugin, await plugin.init({ name: 'sync-all-configmaps' }))
await plugin.start()
