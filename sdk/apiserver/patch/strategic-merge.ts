import { jsonEqual } from '../../kube/json.js'
import { badRequest } from '../status.js'
import type { ListStrategies } from './merge-keys.js'

type Members = Record<string, unknown>

const DIRECTIVE = '$patch'
const RETAIN_KEYS = '$retainKeys'
const DELETE_PREFIX = '$deleteFromPrimitiveList/'
const ORDER_PREFIX = '$setElementOrder/'

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where in the object a merge is, and how lists are merged there. */
interface Place {
  readonly path: readonly string[]
  readonly strategies: ListStrategies
}

/**
 * Applies a strategic merge patch; neither argument is changed. Directives and list merging follow
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 */
export function applyStrategicMerge(target: unknown, patch: unknown, strategies: ListStrategies): unknown {
  return mergeValue(target, patch, { path: [], strategies })
}

function mergeValue(target: unknown, patch: unknown, place: Place): unknown {
  if (isObject(patch)) return mergeObject(isObject(target) ? target : {}, patch, place)
  return patch
}

function mergeObject(target: Members, patch: Members, place: Place): unknown {
  const directive = patch[DIRECTIVE]
  if (directive === 'replace') return withoutDirectives(patch)
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive)
  const merged = new Map(Object.entries(target))
  const retained = patch[RETAIN_KEYS]
  if (Array.isArray(retained)) {
    for (const key of Object.keys(target)) if (!retained.includes(key)) merged.delete(key)
  }
  for (const [key, value] of Object.entries(patch)) mergeMember(merged, [key, value], { patch, place })
  return Object.fromEntries(merged)
}

interface Around {
  readonly patch: Members
  readonly place: Place
}

function mergeMember(
  merged: Map<string, unknown>,
  [key, value]: readonly [string, unknown],
  { patch, place }: Around,
): void {
  if (key === DIRECTIVE || key === RETAIN_KEYS) return
  if (key.startsWith(DELETE_PREFIX)) {
    deleteFromSet(merged, key.slice(DELETE_PREFIX.length), value)
    return
  }
  if (key.startsWith(ORDER_PREFIX)) {
    orderOnly(merged, key.slice(ORDER_PREFIX.length), { patch, place })
    return
  }
  if (value === null) {
    merged.delete(key)
    return
  }
  const inner = { ...place, path: [...place.path, key] }
  if (!Array.isArray(value)) {
    // What is not there cannot be replaced, and the real server does not put anything in its place.
    if (isObject(value) && value[DIRECTIVE] === 'replace' && !merged.has(key)) return
    merged.set(key, mergeValue(merged.get(key), value, inner))
    return
  }
  const list = mergeList(merged.get(key), value, inner)
  merged.set(key, inOrder(list, patch[ORDER_PREFIX + key], inner))
}

function deleteFromSet(merged: Map<string, unknown>, key: string, values: unknown): void {
  const list = merged.get(key)
  if (!Array.isArray(list) || !Array.isArray(values)) return
  const left = list.filter((item) => !values.some((value) => jsonEqual(item, value)))
  merged.set(key, left)
}

/** An order for a list that the patch does not change otherwise. */
function orderOnly(merged: Map<string, unknown>, key: string, { patch, place }: Around): void {
  const list = merged.get(key)
  if (Object.hasOwn(patch, key) || !Array.isArray(list)) return
  const inner = { ...place, path: [...place.path, key] }
  merged.set(key, inOrder(list, patch[ORDER_PREFIX + key], inner))
}

function mergeList(target: unknown, patch: readonly unknown[], place: Place): unknown[] {
  const strategy = place.strategies(place.path)
  const list = Array.isArray(target) ? [...target] : []
  if (patch.some((item) => isObject(item) && item[DIRECTIVE] === 'replace')) {
    return patch.filter((item) => !isObject(item) || item[DIRECTIVE] !== 'replace')
  }
  if (strategy === undefined) return [...patch]
  if (strategy === 'set') {
    const added = patch.filter((value) => !list.some((item) => jsonEqual(item, value)))
    return [...list, ...added]
  }
  for (const item of patch) mergeItem(list, item, { place, mergeKey: strategy.mergeKey })
  return list
}

interface ItemPlace {
  readonly place: Place
  readonly mergeKey: string
}

function mergeItem(list: unknown[], item: unknown, { place, mergeKey }: ItemPlace): void {
  if (!isObject(item) || item[mergeKey] === undefined) {
    throw badRequest(`map: ${typeof item} does not contain declared merge key: ${mergeKey}`)
  }
  const at = list.findIndex((each) => isObject(each) && jsonEqual(each[mergeKey], item[mergeKey]))
  if (item[DIRECTIVE] === 'delete') {
    if (at >= 0) list.splice(at, 1)
  } else if (at >= 0) list[at] = mergeValue(list[at], item, place)
  else list.push(mergeValue({}, item, place))
}

function inOrder(list: unknown[], order: unknown, { path, strategies }: Place): unknown[] {
  const strategy = strategies(path)
  if (!Array.isArray(order) || strategy === undefined) return list
  const identity = (item: unknown) =>
    strategy === 'set' ? item : isObject(item) ? item[strategy.mergeKey] : undefined
  const wanted = order.map(identity)
  const rank = (item: unknown) => wanted.findIndex((value) => jsonEqual(value, identity(item)))
  const listed = list.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b))
  return [...listed, ...list.filter((item) => rank(item) < 0)]
}

function withoutDirectives(patch: Members): Members {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => key !== DIRECTIVE))
}

function unknownDirective(directive: unknown) {
  return badRequest(`Unknown patch type found: ${String(directive)}`)
}
