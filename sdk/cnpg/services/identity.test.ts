import t from 'tap'
import { InProcessCaller } from '../../../testing/cnpg/in-process-caller.js'
import { testCnpgPlugin } from '../../../testing/cnpg/index.js'
import { loadPlugin } from '../../../testing/cnpg/loaded-plugin.js'
import type { CnpgPlugin } from '../cnpg-plugin.js'
import type { PluginRuntime } from '../plugin.js'
import { PluginCapability_Service_Type as Type } from '../proto/gen/identity.js'

const servicesOf = async (register: (plugin: CnpgPlugin) => void) => {
  const plugin = testCnpgPlugin({ name: 'a.example.org', version: '1' })
  register(plugin)
  const { services } = await loadPlugin(new InProcessCaller(plugin as unknown as PluginRuntime<never>))
  return services
}

void t.test('an archive that is an instance of a class is declared to the operator', async (t) => {
  class Archive {
    readonly #bucket = 'wal'
    archive() {
      return void this.#bucket
    }
    restore() {}
  }
  t.strictSame(await servicesOf((plugin) => plugin.wal(new Archive())), [Type.TYPE_WAL_SERVICE])
  t.strictSame(await servicesOf((plugin) => plugin.wal({ archive() {} })), [Type.TYPE_WAL_SERVICE])
  t.strictSame(await servicesOf((plugin) => plugin.wal({})), [])
})
