import { BehaviorSubject, filter, firstValueFrom, Subscription, timeout } from 'rxjs'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { OperatorCluster } from '../clusters/operator-cluster.js'
import { servedKinds } from '../clusters/served-kinds.js'
import { notMirrored } from './not-mirrored.js'
import { kindsToWatch, type OperatorChange, operatorChanges } from './operator-changes.js'
import type { DevReport } from './report.js'

/** Shows the objects of an operator, and knows which of them it has handled. */
export class ShownObjects {
  readonly #report: Pick<DevReport, 'objectChanged'>
  readonly #changes = new Subscription()
  /** The kinds that are shown, with their clusters; their watches go on when the operator is restarted. */
  readonly #kinds = new Set<string>()
  /** The objects that the operator has handled, by cluster, kind and name. */
  readonly #handled = new BehaviorSubject(new Set<string>())

  constructor(report: Pick<DevReport, 'objectChanged'>) {
    this.#report = report
  }

  /** Ends the watches. */
  close(): void {
    this.#changes.unsubscribe()
  }

  /** Shows the objects in one cluster of kinds that were not shown before. */
  async show({ name, transport }: OperatorCluster, description: OperatorDescription): Promise<void> {
    const kinds = kindsToWatch(description, { cluster: name, served: await servedKinds(transport) })
    const idOf = ({ group, plural }: { group: string; plural: string }) => `${name} ${plural}.${group}`
    const fresh = kinds.filter((kind) => !this.#kinds.has(idOf(kind)))
    for (const kind of fresh) this.#kinds.add(idOf(kind))
    const prefix = description.clusters.length > 1 ? `${name}  ` : ''
    const changes = operatorChanges(fresh, transport)
    this.#changes.add(changes.subscribe((change) => this.#changed(change, { cluster: name, prefix })))
  }

  /** Waits until objects are shown as handled; throws `PluginError` `NOT_MIRRORED` after `limitMs` milliseconds. */
  async untilHandled(names: readonly string[], limitMs: number): Promise<void> {
    const missing = () => names.find((name) => !this.#handled.value.has(name))
    const all = this.#handled.pipe(
      filter(() => missing() === undefined),
      timeout({ first: limitMs }),
    )
    await firstValueFrom(all).catch(() => {
      throw notMirrored(
        `${missing()} is not ready: it has no status with a condition Ready, Available or another that is true`,
      )
    })
  }

  #changed(
    { name, verb, state, isNews, isHandled }: OperatorChange,
    { cluster, prefix }: { readonly cluster: string; readonly prefix: string },
  ): void {
    if (isNews) this.#report.objectChanged(`${prefix}${name}`, verb, state)
    if (isHandled) this.#handled.next(this.#handled.value.add(`${cluster} ${name}`))
  }
}
