import { groupOfApiVersion } from '../../../engine/kube/api-version.js'
import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { JsonObject } from '../../chart/json-object.js'
import { manifestOf } from '../../render/print-manifest.js'
import type { RenderedChart } from '../../render/renderer.js'

/** The groups of the kinds with containers. Fields of other kinds may mean something else. */
const groups = ['', 'apps', 'batch']

/**
 * A rendered chart whose containers have no environment variable twice: the last one stays, which is also the one that
 * a container would get. Server-side apply refuses repeated variables, which client-side apply of helm 3 accepted. A
 * chart without repetitions is returned unchanged.
 */
export async function withLastOfEnv(rendered: RenderedChart): Promise<RenderedChart> {
  const objects = rendered.objects.map(({ source, object }) => ({
    source,
    object: withoutRepeatedEnv(object),
  }))
  if (objects.every(({ object }, index) => object === rendered.objects[index]?.object)) return rendered
  return { ...rendered, objects, manifest: await manifestOf(objects) }
}

/** An object without repeated variables; unchanged if its kind has no containers. */
function withoutRepeatedEnv(object: KubeObject): KubeObject {
  return groups.includes(groupOfApiVersion(object.apiVersion))
    ? (withoutRepeated(object) as KubeObject)
    : object
}

/** A value without repeated variables at any depth; the same value if there are none. */
function withoutRepeated(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutRepeated)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, member]) =>
      [name, isEnv(name, member) ? lastVariables(member) : withoutRepeated(member)] as const,
  )
  return entries.some(([name, member]) => member !== value[name]) ? Object.fromEntries(entries) : value
}

const isEnv = (name: string, value: unknown): value is JsonObject[] =>
  name === 'env' && Array.isArray(value) && value.every(isJsonObject)

/** The variables of a list, of each name only the last one. */
function lastVariables(env: JsonObject[]): JsonObject[] {
  const lastIndexByName = new Map(env.map(({ name }, index) => [name, index]))
  return lastIndexByName.size === env.length
    ? env
    : env.filter(({ name }, index) => lastIndexByName.get(name) === index)
}
