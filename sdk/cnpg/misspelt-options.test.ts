// Misspelt options, in programs whose types are not checked.
import t from 'tap'
import { jobs } from '../engine/kube/builtin-workloads.js'
import { silentLogger } from '../engine/observe/logger.js'
import { createCnpgPlugin } from './create-cnpg-plugin.js'

const options = { name: 'hello.example.org', version: '0.1.0', env: {}, args: [], logger: silentLogger }

const misspelt: Readonly<Record<string, () => unknown>> = {
  'createCnpgPlugin has no option paramters; did you mean parameters?': () =>
    createCnpgPlugin({ ...options, paramters: {} } as never),
  'createCnpgPlugin has no option probes; its options are name, version, displayName, description, projectUrl, repositoryUrl, license, licenseUrl, maturity, vendor, parameters, permissions, client, args, env, logger, metrics, clock, stopDeadlineMs':
    () => createCnpgPlugin({ ...options, probes: {} } as never),
  'the option logger of createCnpgPlugin must be an object, got a string; leave it out for the default': () =>
    createCnpgPlugin({ ...options, logger: 'silent' } as never),
  'permissions[0] of createCnpgPlugin has no option namespaces; did you mean namespace?': () =>
    createCnpgPlugin({
      ...options,
      permissions: [{ group: '', resource: 'secrets', verbs: ['get'], namespaces: ['a'] }],
    } as never),
  'plugin.sidecar has no option job; did you mean jobs?': () =>
    createCnpgPlugin(options).sidecar({ name: 'a', image: 'b' }, { job: true } as never),
  'plugin.wal has no option achive; did you mean archive?': () =>
    createCnpgPlugin(options).wal({ achive() {} } as never),
  'plugin.cluster has no option reconcile; its options are default, validateCreate, validateChange, preReconcile, postReconcile, status':
    () => createCnpgPlugin(options).cluster({ reconcile() {} } as never),
  'plugin.pods has no option instances; did you mean instance?': () =>
    createCnpgPlugin(options).pods({ instances() {} } as never),
  'plugin.objects has no option instance; its options are create, update, patch, delete, evaluate': () =>
    createCnpgPlugin(options).objects(jobs, { instance() {} } as never),
}

void t.test(
  'createCnpgPlugin and the methods of a plugin refuse an option that they do not have',
  async (t) => {
    for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
    t.equal(createCnpgPlugin({ ...options, permissions: [], displayName: 'Hello' }).name, options.name)
    class Archive {
      bucket = 'wal'
      archive() {}
    }
    t.doesNotThrow(() => createCnpgPlugin(options).wal(new Archive()), 'a class may have members of its own')
    const message = /^the name of the plugin is missing: /
    t.throws(() => createCnpgPlugin(undefined as never), { code: 'INVALID_NAME', message })
  },
)
