import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'

/**
 * A JSON schema of values files with this plugin, for editors: it knows the members of `plugins.<name>.config`, and of
 * `plugin.<name>.config` for charts before 0.20. Other members are not restricted.
 */
export function valuesSchema({ name, configSchema = {} }: PluginDescription): object {
  const { $schema = 'https://json-schema.org/draft/2020-12/schema', ...config } = configSchema as {
    $schema?: string
  }
  const plugin = { type: 'object', properties: { config } }
  const plugins = { type: 'object', properties: { [name]: plugin } }
  return {
    $schema,
    title: `Values of a vcluster with ${name}`,
    type: 'object',
    properties: { plugin: plugins, plugins },
  }
}
