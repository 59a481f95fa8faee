import { BehaviorSubject, filter, firstValueFrom, Subscription, timeout } from 'rxjs'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { OperatorCluster } from '../clusters/operator-cluster.js'
import { servedKinds } from '../clusters/served-kinds.js'
import { kindsToWatch, type OperatorChange, operatorChanges } from './operator-changes.js'
import type { DevReport } from './report.js'
import { notReadyError } from './wait-limits.js'

/** Watches the objects of an operator, reports their changes, and remembers which of them the operator has handled. */
export class ShownObjects {
  readonly #report: Pick<DevReport, 'objectChanged' | 'lastErrors'>
  readonly #changes = new Subscription()
  /** The watched kinds, as `<cluster> <plural>.<group>`; their watches continue when the operator is restarted. */
  readonly #watchedKinds = new Set<string>()
  /** The clusters whose objects are shown. */
  readonly #clusters = new Set<string>()
  /** The objects that the operator has handled, as `<cluster> <kind> <namespace>/<name>`. */
  readonly #handled = new BehaviorSubject(new Set<string>())

  /** The last state of each object, by the same names. */
  readonly #states = new Map<string, string>()

  constructor(report: Pick<DevReport, 'objectChanged' | 'lastErrors'>) {
    this.#report = report
  }

  /** Ends the watches. */
  close(): void {
    this.#changes.unsubscribe()
  }

  /** Starts to watch the kinds of the operator in one cluster that are not watched yet. */
  async show({ name, transport }: OperatorCluster, description: OperatorDescription): Promise<void> {
    const kinds = kindsToWatch(description, { cluster: name, served: await servedKinds(transport) })
    this.#clusters.add(name)
    const idOf = ({ group, plural }: { group: string; plural: string }) => `${name} ${plural}.${group}`
    const added = kinds.filter((kind) => !this.#watchedKinds.has(idOf(kind)))
    for (const kind of added) this.#watchedKinds.add(idOf(kind))
    const prefix = description.clusters.length > 1 ? `${name}  ` : ''
    const changes = operatorChanges(added, transport)
    this.#changes.add(changes.subscribe((change) => this.#changed(change, { cluster: name, prefix })))
  }

  /**
   * Waits until the operator has handled these objects (`<cluster> <kind> <namespace>/<name>`). Throws `PluginError`
   * `NOT_READY` after `limitMs` milliseconds.
   */
  async untilHandled(names: readonly string[], limitMs: number): Promise<void> {
    const findUnhandled = () => names.find((name) => !this.#handled.value.has(name))
    const all = this.#handled.pipe(
      filter(() => findUnhandled() === undefined),
      timeout({ first: limitMs }),
    )
    await firstValueFrom(all).catch(() => {
      const name = findUnhandled() ?? ''
      throw notReadyError(
        `${this.#shownName(name)} got no true condition, such as Ready or Available,`,
        this.#report.lastErrors.firstOf([name.split(' ').at(-1) ?? '']),
        this.#states.get(name),
      )
    })
  }

  /** Without the cluster, if the operator has one only. */
  #shownName(name: string): string {
    return this.#clusters.size > 1 ? name : name.slice(name.indexOf(' ') + 1)
  }

  #changed(
    { name, verb, state, isNews, isHandled }: OperatorChange,
    { cluster, prefix }: { readonly cluster: string; readonly prefix: string },
  ): void {
    if (isNews) this.#report.objectChanged(`${prefix}${name}`, verb, state)
    this.#states.set(`${cluster} ${name}`, state)
    if (isHandled) this.#handled.next(this.#handled.value.add(`${cluster} ${name}`))
  }
}
