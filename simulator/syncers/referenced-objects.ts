import type { RegisterContext } from '../../sdk/context/register-context.js'
import { pods } from '../../sdk/kube/builtin.js'
import { formatKey, type Key } from '../../sdk/kube/key.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { Store } from '../../sdk/store/store.js'
import type { Watches } from '../../sdk/syncer/watches.js'
import { objectsUsedByPod } from './objects-used-by-pod.js'

const kinds = ['ConfigMap', 'Secret'] as const

/** Knows which ConfigMaps and Secrets the Pods of the virtual cluster refer to: vcluster mirrors these alone by default. */
export class ReferencedObjects {
  readonly #pods: Store<never>

  /** Call while registering. */
  constructor(ctx: RegisterContext) {
    const store = ctx.virtual.store(pods)
    for (const kind of kinds) {
      store.addIndex(indexOf(kind), (pod) => objectsUsedByPod(pod, kind).map(formatKey))
    }
    this.#pods = store as unknown as Store<never>
  }

  /** Whether a Pod refers to the object. */
  has({ kind }: Pick<Resource, 'kind'>, key: Key): boolean {
    return isWantable(kind) && this.#pods.byIndex(indexOf(kind), formatKey(key)).length > 0
  }

  /** Rings what Pods begin and cease to refer to. */
  ring(watches: Watches, { kind }: Pick<Resource, 'kind'>): void {
    if (isWantable(kind))
      watches.watch(pods, { side: 'virtual', keysOf: (pod) => objectsUsedByPod(pod, kind) })
  }
}

const indexOf = (kind: string) => `${kind}s that pods refer to`
const isWantable = (kind: string): kind is (typeof kinds)[number] => kinds.some((one) => one === kind)
