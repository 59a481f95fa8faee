// Misspelt hooks, in programs whose types are not checked.
import t from 'tap'
import { jobs } from '../../engine/kube/builtin-workloads.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { createCnpgPlugin } from '../create-cnpg-plugin.js'

const plugin = () =>
  createCnpgPlugin({ name: 'hello.example.org', version: '0.1.0', env: {}, args: [], logger: silentLogger })

const misspelt: Readonly<Record<string, () => unknown>> = {
  'plugin.wal has no option achive; did you mean archive?': () => plugin().wal({ achive() {} } as never),
  'plugin.cluster has no option reconcile; its options are default, validateCreate, validateChange, preReconcile, postReconcile, status':
    () => plugin().cluster({ reconcile() {} } as never),
  'plugin.pods has no option instances; did you mean instance?': () =>
    plugin().pods({ instances() {} } as never),
  'plugin.objects has no option instance; its options are create, update, patch, delete, evaluate': () =>
    plugin().objects(jobs, { instance() {} } as never),
}

void t.test('a hook that the operator never calls is refused, with the one that was meant', async (t) => {
  for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
  class Archive {
    bucket = 'wal'
    archive() {}
  }
  t.doesNotThrow(() => plugin().wal(new Archive()), 'a class may have members of its own')
})
