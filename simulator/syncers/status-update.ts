import { jsonEqual } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { PlainPair as Pair } from '../../sdk/syncer/syncer.js'
import type { KindRules } from './kind-rules.js'

/** The virtual object with the status that it gets from the host; `undefined` where it has that already. */
export function withHostStatus<T extends KubeObject>(
  { statusUp }: KindRules<T>,
  shown: Pair<T>,
  written: T,
): T | undefined {
  const status = statusUp?.(shown.host, shown.virtual)
  const isNone = status === undefined || Object.keys(status).length === 0
  return isNone || jsonEqual(status, statusOf(written)) ? undefined : { ...written, status }
}

const statusOf = (object: KubeObject): unknown => ('status' in object ? object.status : undefined)
