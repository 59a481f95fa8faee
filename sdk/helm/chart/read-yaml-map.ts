import { parseJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { ChartFile } from './chart.js'
import { ChartProblem } from './chart-problem.js'
import type { JsonObject } from './json-object.js'

/**
 * Reads a YAML file of a chart, such as `values.yaml`, by the rules of Helm: YAML 1.1, in which `yes` is a boolean. An
 * empty file is an empty map. Rejects with {@link ChartProblem} if the file is not YAML, or not a map.
 */
export async function readYamlMap({ name, data }: ChartFile): Promise<JsonObject> {
  const { yamlToJson } = await import('../../engine/kube/go-yaml/yaml-to-json.js')
  const value = parseYaml(name, () => parseJson(yamlToJson(Buffer.from(data).toString('utf8')).json))
  if (value === null) return {}
  if (!isJsonObject(value)) throw new ChartProblem(`its ${name} is not a map`)
  return value
}

function parseYaml(name: string, parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ChartProblem(`its ${name} is not valid YAML: ${error.message}`, { cause: error })
  }
}
