import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { stringifyJson } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Outcome } from '../syncer/outcome.js'
import type { Pair } from '../syncer/syncer.js'
import { DownMirror, type MirrorDownOptions } from './down-mirror.js'
import { parseFieldPath, withFieldsKept } from './field-paths.js'
import { lastSyncedAnnotation } from './marks.js'
import { sha256Hex } from './names.js'
import { withFieldsOf } from './translate-fields.js'

/** Copies down, and what was changed on the host alone back up. */
export class BothMirror<T extends KubeObject> extends DownMirror<T> {
  readonly #excluded: readonly (readonly string[])[]

  constructor(ctx: RegisterContext, resource: Resource<T>, options: MirrorDownOptions<T>) {
    const { name = `${resource.kind.toLowerCase()}-both`, annotations = {} } = options
    const allow = annotations.allow && [...annotations.allow, lastSyncedAnnotation]
    super(ctx, resource, { ...options, name, annotations: { ...annotations, ...(allow && { allow }) } })
    this.#excluded = (options.excludeFields ?? []).map(parseFieldPath)
  }

  override transform(virtual: T): T {
    const { annotations } = virtual.metadata
    const marked = { ...annotations, [lastSyncedAnnotation]: this.#digest(virtual) }
    return { ...super.transform(virtual), metadata: { ...virtual.metadata, annotations: marked } }
  }

  protected override async syncSelected(ctx: SyncContext, pair: Pair<T>): Promise<Outcome | undefined> {
    const { virtual } = pair
    const host = await this.virtualReferences(ctx, pair)
    const [last, now, there] = [
      host.metadata.annotations?.[lastSyncedAnnotation],
      this.#digest(virtual),
      this.#digest(host),
    ]
    if (last !== now || there === now) return super.syncSelected(ctx, pair)
    const updated = withFieldsOf(virtual, withFieldsKept(host, this.#excluded, virtual))
    await ctx.virtual.client.update(this.resource, updated, { signal: ctx.signal })
    return undefined
  }

  /** Of all that is copied, whatever the order of its members. */
  #digest(object: T): string {
    const { apiVersion: _, kind: __, metadata: ___, ...fields } = withFieldsKept(object, this.#excluded)
    const content = Object.entries(fields).filter(([field]) => field !== 'status')
    return sha256Hex(stringifyJson(sorted(Object.fromEntries(content))))
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, member]) => [name, sorted(member)])
}
