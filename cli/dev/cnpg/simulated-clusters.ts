import type { CnpgCluster } from '../../../sdk/cnpg/cluster/cluster.js'
import type { Clock } from '../../../sdk/engine/time/clock.js'
import type { PluginCaller } from '../../../testing/cnpg/caller.js'
import { LoadedPlugins } from '../../../testing/cnpg/loaded-plugins.js'
import { type HookAnswer, ObservedCaller } from '../../../testing/cnpg/observed-caller.js'
import { phases, type Reconciliation, RefusedError } from '../../../testing/cnpg/reconciliation.js'
import { SimulatedOperator } from '../../../testing/cnpg/simulated-operator.js'
import type { DevReport } from '../report.js'
import { answerLines, kindAndKey } from './answer-lines.js'

/** Options of {@link SimulatedClusters}. */
export interface SimulatedClustersOptions {
  report: Pick<DevReport, 'object'>
  clock: Clock
}

/** The result of the reconciliation of a Cluster. */
export interface ClusterOutcome {
  /** `Cluster default/db`. */
  readonly name: string
  /** `waiting` if the plugin asked for another reconciliation later, or stopped this one. */
  readonly state: 'healthy' | 'refused' | 'waiting' | 'failed'
  /** The phase and the reason, or the refusals. */
  readonly text: string
  /** The seconds until the operator reconciles again without a change; undefined if it does not. */
  readonly againSeconds: number | undefined
}

/**
 * The Clusters of a simulated operator. They stay when the plugin is restarted. Shows each new answer of the plugin.
 */
export class SimulatedClusters {
  readonly #report: Pick<DevReport, 'object'>
  readonly #clock: Clock
  readonly #operators = new Map<string, SimulatedOperator>()
  /** The last answer of each hook for each object, so that repetitions are not shown. */
  readonly #shownAnswers = new Map<string, string>()
  #plugins: LoadedPlugins

  constructor({ report, clock }: SimulatedClustersOptions) {
    this.#report = report
    this.#clock = clock
    this.#plugins = new LoadedPlugins([], clock)
  }

  /** Connects to a new process of the plugin. */
  connect(caller: PluginCaller): void {
    this.close()
    const observed = new ObservedCaller(caller, (answer) => this.#reportAnswer(answer))
    this.#plugins = new LoadedPlugins([observed], this.#clock)
  }

  /** Closes the connection to the plugin. */
  close(): void {
    this.#plugins.close()
  }

  /** Creates a Cluster, or changes the one of that name, and reconciles it until nothing changes. */
  apply(cluster: CnpgCluster): Promise<ClusterOutcome> {
    const operator = this.#operatorOf(cluster)
    const { metadata, spec } = cluster
    const isChange = operator.cluster !== undefined
    const admit = () =>
      isChange
        ? operator.change((stored) =>
            Object.assign(stored, { spec, metadata: { ...stored.metadata, ...metadata } }),
          )
        : operator.create(cluster)
    return this.#run(idOf(cluster), operator, admit)
  }

  /** Reconciles all Clusters that were admitted. */
  async reconcile(): Promise<readonly ClusterOutcome[]> {
    const outcomes: ClusterOutcome[] = []
    for (const [name, operator] of this.#operators)
      if (operator.cluster) outcomes.push(await this.#run(name, operator, () => operator.reconcile()))
    return outcomes
  }

  /** The simulated operator of one Cluster, made at its first use. */
  #operatorOf(cluster: CnpgCluster): SimulatedOperator {
    const existing = this.#operators.get(idOf(cluster))
    if (existing) return existing
    const operator = new SimulatedOperator({
      load: () => this.#plugins.load(),
      of: (names) => this.#plugins.of(names),
      close: () => {},
    })
    this.#operators.set(idOf(cluster), operator)
    return operator
  }

  /** Runs an act of the operator, and shows its log and its outcome. */
  async #run(
    name: string,
    operator: SimulatedOperator,
    act: () => Promise<Reconciliation>,
  ): Promise<ClusterOutcome> {
    const loggedBefore = operator.logged.length
    const outcome = await this.#runAct(name, operator, act)
    for (const text of operator.logged.slice(loggedBefore)) this.#report.object(name, { style: 'red', text })
    const { state, text } = outcome
    const style = state === 'healthy' ? 'green' : state === 'failed' ? 'red' : 'yellow'
    this.#report.object(name, { style, text })
    return outcome
  }

  /** Runs an act of the operator, and returns its outcome also if it throws. */
  async #runAct(
    name: string,
    operator: SimulatedOperator,
    act: () => Promise<Reconciliation>,
  ): Promise<ClusterOutcome> {
    try {
      const reconciliation = await this.#reportRollouts(operator, act)
      const cure = reconciliation.phase === phases.unknownPlugin ? await this.#nameCure() : ''
      const outcome = outcomeOf(name, reconciliation, cure)
      return outcome.state === 'healthy' ? await this.#reconcileAgain(outcome, operator) : outcome
    } catch (error) {
      const state = error instanceof RefusedError ? 'refused' : 'failed'
      // The name is shown already.
      const text = (error as Error).message.replace(/^Cluster \S+ is /, '')
      return { name, state, text, againSeconds: undefined }
    }
  }

  /** Returns the advice about a Cluster that names another plugin. */
  async #nameCure(): Promise<string> {
    const names = (await this.#plugins.load()).map((plugin) => plugin.name)
    return `; the plugin here is ${names.join(', ')}: name it in spec.plugins of the Cluster`
  }

  /** Reconciles once more: a Pod that restarts now would restart again and again. */
  async #reconcileAgain(outcome: ClusterOutcome, operator: SimulatedOperator): Promise<ClusterOutcome> {
    const rolloutsBefore = operator.rollouts.length
    await operator.reconcile()
    const [repeatedRollout] = operator.rollouts.slice(rolloutsBefore)
    if (!repeatedRollout) return outcome
    const text = `Pod ${repeatedRollout.pod} would restart at each reconciliation: its ${repeatedRollout.part} differ although nothing has changed`
    return { ...outcome, state: 'failed', text }
  }

  /** Runs an act of the operator, and shows the Pods that it restarts. */
  async #reportRollouts(
    operator: SimulatedOperator,
    act: () => Promise<Reconciliation>,
  ): Promise<Reconciliation> {
    const rolloutsBefore = operator.rollouts.length
    const outcome = await act()
    const { namespace = 'default' } = operator.cluster?.metadata ?? {}
    for (const { pod, part } of operator.rollouts.slice(rolloutsBefore))
      this.#report.object(`Pod ${namespace}/${pod}`, {
        style: 'yellow',
        text: `restarted, its ${part} differ`,
      })
    return outcome
  }

  /** Shows an answer of a hook, unless it repeats the last one for the object. */
  #reportAnswer(answer: HookAnswer): void {
    const name = kindAndKey(answer.object)
    const details = answerLines(answer)
    const id = `${name} ${answer.hook}`
    const isRepeated = (this.#shownAnswers.get(id) ?? '') === details.join('\n')
    this.#shownAnswers.set(id, details.join('\n'))
    if (isRepeated) return
    const text = details.length === 0 ? `${answer.hook}: no change any more` : answer.hook
    this.#report.object(name, { style: 'bold', text, details })
  }
}

const idOf = ({ metadata: { namespace = 'default', name = '' } }: CnpgCluster) =>
  `Cluster ${namespace}/${name}`

/** The outcome of a reconciliation that did not throw; `cure` follows its reason. */
function outcomeOf(
  name: string,
  { phase, phaseReason, requeueAfterSeconds: againSeconds }: Reconciliation,
  cure: string,
): ClusterOutcome {
  const again = againSeconds === undefined ? '' : `; the operator reconciles again after ${againSeconds} s`
  const reason = phaseReason === undefined ? '' : `: ${phaseReason.replace(/\.$/, '')}${cure}`
  const state = phaseReason !== undefined ? 'failed' : stateOf(phase, againSeconds)
  return { name, state, text: `${phase || 'stopped by the plugin'}${reason}${again}`, againSeconds }
}

const stateOf = (phase: string, againSeconds: number | undefined) =>
  phase === phases.healthy && againSeconds === undefined ? 'healthy' : 'waiting'
