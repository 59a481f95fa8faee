// Misspelt options, in programs whose types are not checked.
import t from 'tap'
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
}

void t.test('createCnpgPlugin and plugin.sidecar refuse an option that they do not have', async (t) => {
  for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
  t.equal(createCnpgPlugin({ ...options, permissions: [], displayName: 'Hello' }).name, options.name)
  const message = /^the name of the plugin is missing: /
  t.throws(() => createCnpgPlugin(undefined as never), { code: 'INVALID_NAME', message })
})
