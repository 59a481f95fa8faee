// Serves the CloudNativePG operator where the flags say; see README.md.
import { createCnpgPlugin } from 'vcluster-plugin-sdk/cnpg'
import { parameters, register } from './hello.js'

const plugin = createCnpgPlugin({
  name: 'hello-world.example.org',
  version: '0.1.0',
  displayName: 'Hello world',
  description: 'Labels the Pods of a Cluster',
  license: 'Apache-2.0',
  maturity: 'alpha',
  parameters,
})
register(plugin)
await plugin.start()
