// Forks in the controller of Workspaces: the copies of Modules, then their data.
import { concatMap, merge, type Observable } from 'rxjs'
import type { Client } from '../../engine/client/client.js'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { isForbidden, PermanentError, PluginError } from '../../engine/kube/error.js'
import { formatKey, type Key, keyOf, parseKey } from '../../engine/kube/key.js'
import type { Store } from '../../engine/store/store.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import { requeue } from '../../operator/controller/definition.js'
import type { ForkedData, Workspace, WorkspaceFork } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { vclusterOf } from '../managed/place.js'
import { UnusableKubeconfigError } from '../managed/unusable-kubeconfig-error.js'
import type { KubeconfigClusters } from '../module/connection/kubeconfig-clusters.js'
import type { ModulesOptions } from '../module/connection/modules-options.js'
import { dataOf, type PlanOptions, plannedData } from './data-plan.js'
import { abandonVolume } from './data-volumes.js'
import { checkFork, continueFork } from './fork.js'
import { continueData, type ForkSide, messageOfData } from './fork-data.js'
import { forksOf } from './forks-of-workspace.js'
import { PodContest } from './pod-contest.js'
import { clusterOf, modulesIn, type WorkspaceClusters } from './workspace-clusters.js'
import { reportCopying } from './workspace-status.js'

/** The maximum number of objects whose data a fork copies, because the status lists all of them. */
const maxObjects = 200

/** How many volumes of a fork are copied at a time. */
const maxVolumes = 4

/** The options about forks. */
export type ForkOptions = Pick<
  ModulesOptions,
  'forks' | 'forkData' | 'helm' | 'kubeconfigs' | 'managed' | 'references'
>

/** One run of a Workspace that may be a fork. */
interface ForkRun {
  readonly ctx: ControllerContext<Workspace>
  readonly workspace: Workspace
  readonly clusters: WorkspaceClusters
}

/** Copies the Modules of forks, then their data. The controller of Workspaces calls it in each run. */
export class Forks {
  readonly #options: ForkOptions
  readonly #kubeconfigs: KubeconfigClusters
  #podContest: PodContest | undefined

  constructor(options: ForkOptions, kubeconfigs: KubeconfigClusters) {
    this.#options = options
    this.#kubeconfigs = kubeconfigs
  }

  /**
   * The keys of forks that may continue after a change of the Workspace that they copy. Meanwhile the connections of
   * deleted Workspaces are closed, also those that another replica runs.
   */
  waiting$({ home }: WorkspaceClusters): Observable<Key> {
    const store = home.store(workspaces) as unknown as Store
    const change$ = home.changes$(workspaces)
    return merge(
      change$.pipe(concatMap(({ key }) => forksOf(store, key))),
      this.#kubeconfigs.forgetDeleted(change$),
    )
  }

  /** Throws a `PermanentError` for a fork that this operator does not make. */
  check(workspace: Workspace): void {
    checkFork(workspace, this.#options)
  }

  /** Copies the Modules of the source. */
  copyModules(run: ForkRun): Promise<WorkspaceFork | undefined> {
    const { ctx, workspace, clusters } = run
    const { from } = workspace.spec
    const source = from && clusters.home.store(workspaces).get(from)
    const modulesOfSource = from ? modulesIn(clusters, from) : []
    const { client, signal } = ctx
    const planData = async () => (source ? this.#planData(source, run) : [])
    return continueFork({ client, signal, workspace, source, modulesOfSource, planData })
  }

  /** Copies data if the Modules of the fork are copied. The status lists the remaining objects. */
  async copyData(run: ForkRun): Promise<ReconcileResult | undefined> {
    const { ctx, workspace, clusters } = run
    const { from } = workspace.spec
    const fork = ctx.status.fork as WorkspaceFork | undefined
    if (!from || fork?.phase !== 'copying') return undefined
    const source = clusters.home.store(workspaces).get(from)
    const why = reasonToWait(from, source)
    reportCopying(ctx, why ?? messageOfData(fork))
    if (!source || why !== undefined) return undefined
    const clusterSides = {
      source: await this.#sideOf(source, run),
      target: await this.#sideOf(workspace, run),
    }
    const { signal, clock } = ctx
    const { volumes } = this.#options.forkData ?? {}
    const copying = (fork.data ?? []).filter(({ phase }) => phase === 'copying').length
    const slots = { left: maxVolumes - copying }
    this.#podContest ??= new PodContest(clock)
    const limits = { volumes, slots, podContest: this.#podContest }
    const progress = await continueData({ fork, ...clusterSides, ...limits, now: clock.date(), signal })
    ctx.status.fork = progress.fork
    if (progress.fork.phase === 'done') {
      this.#podContest.forget(workspace.metadata.uid ?? '')
      ctx.events.normal('DataCopied', `the data of ${fork.data?.length} objects is copied`)
      return { requeueAfterMs: 1 } // The Workspace is ready now.
    }
    reportCopying(ctx, messageOfData(progress.fork))
    const { requeueAfterMs } = progress
    return requeueAfterMs === undefined ? undefined : requeue({ afterMs: requeueAfterMs, exact: true })
  }

  /**
   * Deletes the Pods and Secrets that copy the volumes of a fork that is being deleted. An Event names those that
   * cannot be reached; they do not hold up the deletion.
   */
  async abandonData(run: ForkRun): Promise<void> {
    const { ctx, workspace, clusters } = run
    this.#podContest?.forget(workspace.metadata.uid ?? '')
    const { from, status = {} } = { from: workspace.spec.from, status: workspace.status }
    const items = (status.fork?.data ?? []).filter(({ phase }) => phase === 'copying')
    if (items.length === 0) return
    const source = from && clusters.home.store(workspaces).get(from)
    const clients = [
      await this.#reachableClient(source, run),
      await this.#reachableClient(workspace, run),
    ] as const
    for (const item of items) {
      const ends = {
        from: { client: clients[0], key: parseKey(item.from) },
        to: { client: clients[1], key: parseKey(item.to ?? '') },
      }
      const unreachable = await abandonVolume({ record: item, fork: workspace, signal: ctx.signal, ...ends })
      if (unreachable.length > 0)
        ctx.events.warning('DataLeft', `delete the Pods and Secrets ${unreachable.join(', ')} by hand`)
    }
  }

  /**
   * The client of the cluster of a Workspace; undefined without the Workspace or its kubeconfig. Rejects if reading the
   * kubeconfig failed, so that the run is repeated.
   */
  async #reachableClient(workspace: Workspace | undefined, run: ForkRun): Promise<Client | undefined> {
    try {
      return workspace && (await this.#sideOf(workspace, run)).client
    } catch (error) {
      if (!isUnusable(error)) throw error
      return undefined
    }
  }

  /** A Workspace with its Modules and the client of their cluster, as the source or the target of a copy. */
  async #sideOf(workspace: Workspace, { ctx, clusters }: ForkRun): Promise<ForkSide> {
    const clusterOptions = { ctx, clusters, kubeconfigs: this.#kubeconfigs, options: this.#options }
    const { client, name } = await clusterOf(workspace, clusterOptions)
    const { helm, references = 'same-namespace' } = this.#options
    const plan = { home: clusters.home.name, cluster: name, helm, workspace, references }
    return { workspace, modules: modulesIn(clusters, keyOf(workspace)), client, plan }
  }

  /** The data of all Modules of a source. Rejects if the options do not allow to copy it. */
  async #planData(source: Workspace, run: ForkRun): Promise<ForkedData[]> {
    const { modules, plan } = await this.#sideOf(source, run)
    const planned: ForkedData[] = []
    for (const module of modules) planned.push(...(await planOf(module, plan)))
    this.#checkPlan(planned, run.workspace)
    return planned
  }

  /** Throws a `PermanentError` for data that the options do not allow to copy. */
  #checkPlan(planned: readonly ForkedData[], workspace: Workspace): void {
    const refusalError = (why: string) =>
      new PermanentError(`Workspace ${formatKey(keyOf(workspace))}: ${why}`)
    const volume = planned.find(({ kind }) => kind === 'PersistentVolumeClaim')
    if (volume && !this.#options.forkData?.volumes)
      throw refusalError(
        `Module ${volume.module} of the source has the volume claim ${volume.from}, and there is no image to copy volumes: set ` +
          'forkData.volumes in the options of moduleControllers, or from.migrateData to false',
      )
    if (planned.length > maxObjects)
      throw refusalError(
        `the source has ${planned.length} objects with data, and at most ${maxObjects} are copied`,
      )
  }
}

/**
 * Whether an error means that a cluster has no usable credentials until a person changes something: they are missing or
 * invalid, the options do not allow them, or the operator may not read them. A 401 is not among them: it is about the
 * credentials of the operator itself, which are renewed.
 */
const isUnusable = (error: unknown): boolean =>
  error instanceof UnusableKubeconfigError ||
  error instanceof PermanentError ||
  (error instanceof PluginError && error.code === 'INVALID_KUBECONFIG') ||
  isForbidden(error)

/** The data of one Module of a source; none if it has no release of its own. */
async function planOf(module: Parameters<typeof dataOf>[0], plan: PlanOptions): Promise<ForkedData[]> {
  const { helm, source } = module.spec
  if (helm?.existingRelease || source?.existingHelmRelease) return []
  const data = await dataOf(module, plan)
  return data ? plannedData(module, data) : []
}

/** The reason why the data of a source cannot be read yet; undefined if it can. */
function reasonToWait(from: Key, source: Workspace | undefined): string | undefined {
  if (!source) return `Workspace ${formatKey(from)} with the data does not exist any more; delete the fork`
  if (!vclusterOf(source) || source.status?.vcluster === 'awake') return undefined
  return `waits for the vcluster of Workspace ${formatKey(from)} to be awake; let its Modules sleep by their own spec.hibernated`
}
