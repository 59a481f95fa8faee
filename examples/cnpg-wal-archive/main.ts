// The plugin next to the operator, and the same program as the sidecar of each instance; see README.md.
import { createCnpgPlugin } from 'vcluster-plugin-sdk/cnpg'
import { parameters, register } from './register.js'

const plugin = createCnpgPlugin({
  name: 'wal-archive.example.org',
  version: '0.1.0',
  displayName: 'WAL archive',
  description: 'Archives the WAL of a Cluster on a volume',
  license: 'Apache-2.0',
  maturity: 'alpha',
  parameters,
})
register(plugin, { image: process.env.PLUGIN_IMAGE ?? 'wal-archive:dev' })
await plugin.start()
