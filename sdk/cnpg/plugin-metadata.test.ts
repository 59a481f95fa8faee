import t from 'tap'
import { checkPluginMetadata } from './plugin-metadata.js'

void t.test('a plugin without a name or a version, or with a wrong name, is refused with an example', (t) => {
  const refused = (metadata: object, message: RegExp) =>
    t.throws(() => checkPluginMetadata(metadata as never), { code: 'INVALID_NAME', message })
  refused(
    { version: '1' },
    /^the name of the plugin is missing: set name to a DNS name .*, for example backup\.example\.org$/,
  )
  refused(
    { name: 'Not_A_Name', version: '1' },
    /^the name of the plugin must be a DNS name of at most 63 characters, got "Not_A_Name": for example backup\.example\.org$/,
  )
  refused({ name: 'a.b' }, /^the version of the plugin a\.b is missing: set version, for example to 0\.1\.0$/)
  checkPluginMetadata({ name: 'a.b', version: '0.1.0' })
  t.end()
})
