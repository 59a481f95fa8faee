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
  if (objects.every(({ object }, at) => object === rendered.objects[at]?.object)) return rendered
  return { ...rendered, objects, manifest: await manifestOf(objects) }
}

function withoutRepeatedEnv(object: KubeObject): KubeObject {
  return groups.includes(groupOfApiVersion(object.apiVersion))
    ? (withoutRepeated(object) as KubeObject)
    : object
}

/** A value without repeated variables at any depth; the same value if there are none. */
function withoutRepeated(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutRepeated)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, one]) => [name, isEnv(name, one) ? lastVariables(one) : withoutRepeated(one)] as const,
  )
  return entries.some(([name, one]) => one !== value[name]) ? Object.fromEntries(entries) : value
}

const isEnv = (name: string, value: unknown): value is JsonObject[] =>
  name === 'env' && Array.isArray(value) && value.every(isJsonObject)

function lastVariables(env: JsonObject[]): JsonObject[] {
  const last = new Map(env.map(({ name }, at) => [name, at]))
  return last.size === env.length ? env : env.filter(({ name }, at) => last.get(name) === at)
}
