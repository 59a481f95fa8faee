import type { ZodType } from 'zod'
import { PluginError } from '../../engine/kube/error.js'
import { issueText } from '../../engine/kube/issue-text.js'
import { loadYaml } from '../../engine/kube/load-yaml.js'

/** Returns a plugin's configuration, checked by a schema; see {@link RegisterContext.config}. */
export type ReadConfig = <T>(schema: ZodType<T>) => T

/** The configuration of a plugin. */
export interface PluginConfig {
  read: ReadConfig
  /** The schemas with which the configuration was read so far. */
  readonly schemas: readonly ZodType[]
}

/**
 * Reads `PLUGIN_CONFIG`, YAML text that vcluster passes to a plugin from its values (`plugins.<name>.config`). A
 * missing, empty or `null` text becomes `{}`. Throws `PluginError` with code `INVALID_CONFIG` if it is not YAML. No
 * message quotes a value, which may be a secret.
 */
export async function readPluginConfig(
  env: Readonly<Record<string, string | undefined>>,
): Promise<PluginConfig> {
  const value = await parseConfig(env.PLUGIN_CONFIG ?? '')
  const schemas: ZodType[] = []
  const read: ReadConfig = (schema) => {
    schemas.push(schema)
    const { success, data, error } = schema.safeParse(value)
    if (success) return data
    const issues = error.issues.map((issue) => `${issue.path.join('.') || '(root)'}: ${issueText(issue)}`)
    throw badConfigError(
      `does not match the schema: ${issues.join('; ')}; correct config of the plugin in the vcluster's values`,
    )
  }
  return { read, schemas }
}

async function parseConfig(text: string): Promise<unknown> {
  if (text.trim() === '') return {}
  // A plugin without a configuration does not load the YAML parser.
  const { LineCounter, parseDocument } = await loadYaml()
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = document.errors
  if (error) throw badConfigError(`does not parse as YAML: line ${lineCounter.linePos(error.pos[0]).line}`)
  return document.toJS() ?? {}
}

function badConfigError(what: string): PluginError {
  return new PluginError('INVALID_CONFIG', `the plugin's configuration (PLUGIN_CONFIG) ${what}`)
}
