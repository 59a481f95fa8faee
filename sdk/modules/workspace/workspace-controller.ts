/**
 * The controller of Workspaces. Modules ask their Workspace whether to sleep; nothing is written into their specs, so a Module that
 * slept on its own account sleeps on after its Workspace woke.
 */
import { concatMap, defer, type Observable } from 'rxjs'
import type { Cluster } from '../../cluster/cluster.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import type { ObjectFacts } from '../../inspector/fact-view.js'
import type { DeepReadonly } from '../../kube/deep-readonly.js'
import { isConflict } from '../../kube/error.js'
import { type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import type { Unit } from '../../manager/unit.js'
import type { UnitEnvironment } from '../../manager/unit-source.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import { requeue } from '../../operator/controller/definition.js'
import { clusterNamed } from '../../operator/controller/environment.js'
import { watch } from '../../operator/controller/watch.js'
import { type ControllerDefinition, RegistrableController } from '../../operator/engine/controller.js'
import type { Store } from '../../store/store.js'
import type { Clock } from '../../time/clock.js'
import { timeText } from '../kinds/fields.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { indexByWorkspace, modulesOfWorkspace } from '../kinds/modules-of-workspace.js'
import type { Workspace, WorkspaceFork } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { clusterOfWorkspace } from '../module/connection.js'
import type { KubeconfigClusters } from '../module/kubeconfig-clusters.js'
import type { ModulesOptions } from '../module/modules-options.js'
import { applySchedule } from './auto-hibernation.js'
import { checkVcluster, type DeepSleep, keepVcluster } from './deep-sleep.js'
import { checkFork, continueFork } from './fork.js'
import { forksOf, indexByOrigin } from './forks-of-workspace.js'
import { type Counted, countModules, messageOf, namesOf, removeModules } from './its-modules.js'
import { watchesOfKubeconfigs } from './watched-kubeconfigs.js'
import { permissionsForVclusters, watchesOfVclusters } from './watched-vclusters.js'
import { workspaceFacts } from './workspace-facts.js'

/** The time between two looks at a Workspace that waits for its Modules, in milliseconds. Their changes run it at once. */
const lookAgainMs = 300_000

/** Soon, but after the status of this run was written. */
const soon: ReconcileResult = { requeueAfterMs: 1 }

/** The options of `registerModules` about Workspaces. */
type WorkspaceOptions = Pick<ModulesOptions, 'workspaces' | 'vclusters' | 'kubeconfigs' | 'forks'>

/** Makes the controller of Workspaces. */
export function workspaceController(
  options: WorkspaceOptions,
  kubeconfigs: KubeconfigClusters,
): ControllerDefinition<Workspace> {
  return new WorkspaceController(options, kubeconfigs)
}

interface Clusters {
  readonly home: Cluster
  readonly names: readonly string[]
  readonly clock: Clock
}

class WorkspaceController extends RegistrableController<Workspace> {
  #clusters: Clusters | undefined

  readonly #isAllowed: boolean
  readonly #forks: 'same-namespace' | 'all-namespaces'

  readonly #hasKubeconfigs: boolean
  readonly #kubeconfigs: KubeconfigClusters

  constructor(options: WorkspaceOptions, kubeconfigs: KubeconfigClusters) {
    const { workspaces: cluster, vclusters = false, kubeconfigs: hasKubeconfigs = false } = options
    super(workspaces, {
      ...(cluster !== undefined && { cluster }),
      finalizer: 'forkspacer.com/workspace',
      watches: [
        watch(modules, { keys: ({ spec }) => (spec?.workspace ? [spec.workspace] : []) }),
        ...(vclusters ? watchesOfVclusters : []),
        ...(hasKubeconfigs ? watchesOfKubeconfigs : []),
      ],
      permissions: [
        { resource: modules, verbs: ['create', 'delete', 'get'] },
        { resource: workspaces, verbs: ['patch'] },
        ...(vclusters ? permissionsForVclusters : []),
      ],
      reconcile: (ctx, workspace) => this.#reconcile(ctx, workspace),
      triggers$: defer(() => this.#waitingForks()),
      finalize: (ctx, workspace) => this.#deleteModules(ctx, workspace as Workspace),
    })
    this.#isAllowed = vclusters
    this.#forks = options.forks ?? 'same-namespace'
    this.#hasKubeconfigs = hasKubeconfigs
    this.#kubeconfigs = kubeconfigs
  }

  override factsOf(object: KubeObject): ObjectFacts {
    const { home, clock } = this.#running
    const found = modulesOfWorkspace(home.store(modules) as unknown as Store, keyOf(object))
    return workspaceFacts(object, { modules: found, now: clock.date() })
  }

  override unitFor(environment: UnitEnvironment): Unit {
    const { clusters, clock } = environment
    const home = clusterNamed(this.options.cluster, { clusters, controller: this.name })
    this.#clusters = { home, names: clusters.map(({ name }) => name), clock }
    const unit = super.unitFor(environment)
    return {
      ...unit,
      indexStores: () => {
        unit.indexStores?.()
        indexByWorkspace(home.store(modules) as unknown as Store)
        indexByOrigin(home.store(workspaces) as unknown as Store)
      },
    }
  }

  async #reconcile(
    ctx: ControllerContext<Workspace>,
    given: DeepReadonly<Workspace>,
  ): Promise<ReconcileResult | undefined> {
    const workspace = given as Workspace
    try {
      const { home, names } = this.#running
      const { type } = workspace.spec.connection
      clusterOfWorkspace(workspace, { home: home.name, names, hasKubeconfigs: this.#hasKubeconfigs })
      checkVcluster(workspace, { names, isAllowed: this.#isAllowed })
      checkFork(workspace, this.#forks)
      const fork = await this.#fork(ctx, workspace)
      ctx.status.fork = fork
      if (fork?.phase === 'waiting') {
        this.#wait(ctx, fork)
        return undefined
      }
      const now = ctx.clock.date()
      const { lastScheduleTime, againInMs } = await applySchedule(workspace, { client: ctx.client, now })
      ctx.status.lastScheduleTime = lastScheduleTime
      const { hibernated } = workspace.spec
      const deep = await this.#keepVcluster(ctx, workspace, hibernated)
      const serves = deep === undefined || deep.state === 'awake'
      if (type === 'kubeconfig' && serves) await this.#kubeconfigs.check(workspace, ctx)
      this.#say(ctx, workspace, deep)
      if (deep?.isSoon) return soon
      return againInMs === undefined ? undefined : requeue({ afterMs: againInMs, exact: true })
    } catch (error) {
      if (isConflict(error)) throw error
      this.#fail(ctx, error)
      throw error
    }
  }

  #fork(ctx: ControllerContext<Workspace>, workspace: Workspace): Promise<WorkspaceFork | undefined> {
    const { from } = workspace.spec
    const { home } = this.#running
    const source = from && home.store(workspaces).get(from)
    const modulesOfSource = from ? modulesOfWorkspace(home.store(modules) as unknown as Store, from) : []
    const { client, signal } = ctx
    return continueFork({ client, signal, workspace, source, modulesOfSource })
  }

  #waitingForks(): Observable<Key> {
    const { home } = this.#running
    const store = home.store(workspaces) as unknown as Store
    return home.changes$(workspaces).pipe(concatMap(({ key }) => forksOf(store, key)))
  }

  /** Brings the vcluster of the Workspace into the wanted state; undefined if the Workspace has none. */
  async #keepVcluster(
    ctx: ControllerContext<Workspace>,
    workspace: Workspace,
    wantsSleep: boolean,
  ): Promise<DeepSleep | undefined> {
    if (!workspace.spec.vcluster) return undefined
    const { total, sleeped } = this.#count(ctx).modules
    const { client, signal, clock } = ctx
    const facts = { workspace, wantsSleep, areModulesAsleep: total === sleeped, now: clock.date() }
    const deep = await keepVcluster({ client, signal, ...facts })
    if (!deep.isWokenByHand) return deep
    const { uid, resourceVersion } = workspace.metadata
    const body = { metadata: { uid, resourceVersion }, spec: { hibernated: false } }
    await client.patch(workspaces, ctx.key, { type: 'merge', body })
    ctx.events.normal('WokenByHand', 'the vcluster was resumed by hand; the Workspace wakes with it')
    return { ...deep, isSoon: true }
  }

  #say(ctx: ControllerContext<Workspace>, { spec, status }: Workspace, deep: DeepSleep | undefined): void {
    const counts = this.#count(ctx)
    ctx.status.modules = counts.modules
    ctx.status.vcluster = deep?.state
    if (deep?.state === 'sleeping' || deep?.state === 'waking') {
      this.#wait(ctx, deep)
      return
    }
    const areAsleep = spec.hibernated && counts.modules.total === counts.modules.sleeped
    const isAsleep = deep ? deep.state === 'asleep' : areAsleep
    const phase = isAsleep ? 'hibernated' : 'ready'
    if (status?.phase !== phase) {
      const now = timeText(ctx.clock.date())
      ctx.status.lastActivity = now
      ctx.status.hibernatedAt = isAsleep ? now : undefined
    }
    ctx.status.phase = phase
    ctx.status.ready = !isAsleep
    ctx.status.message = deep?.message ?? messageOf(counts)
    ctx.condition('Ready', !isAsleep, isAsleep ? 'Hibernated' : 'Connected')
  }

  /** The Workspace is on its way; its phase is the former one. */
  #wait(ctx: ControllerContext<Workspace>, { message = '' }: { message?: string | undefined }): void {
    ctx.status.phase ??= 'installing'
    ctx.status.ready = false
    ctx.status.message = message
    ctx.condition('Ready', false, 'NotReady', message)
  }

  #fail(ctx: ControllerContext<Workspace>, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    ctx.status.phase = 'failed'
    ctx.status.ready = false
    ctx.status.message = message
    ctx.condition('Ready', false, 'Failed', message)
  }

  /** All Modules are deleted at once; the Workspace goes after the last one. */
  async #deleteModules(
    ctx: ControllerContext<Workspace>,
    workspace: Workspace,
  ): Promise<ReconcileResult | undefined> {
    const left = this.#modulesOf(ctx)
    if (left.length === 0) {
      await this.#kubeconfigs.forget(workspace)
      return undefined
    }
    const deep = this.#isAllowed ? await this.#keepVcluster(ctx, workspace, false) : undefined
    ctx.status.vcluster = deep?.state
    await removeModules(ctx.client, left)
    ctx.status.phase = 'terminating'
    ctx.status.ready = false
    ctx.status.message = `waits for the Modules ${namesOf(left)}`
    ctx.condition('Ready', false, 'Terminating', ctx.status.message)
    return deep?.isSoon ? soon : requeue({ afterMs: lookAgainMs })
  }

  #count(ctx: ControllerContext<Workspace>): Counted {
    return countModules(this.#modulesOf(ctx))
  }

  #modulesOf({ key }: ControllerContext<Workspace>): readonly Module[] {
    return modulesOfWorkspace(this.#running.home.store(modules) as unknown as Store, key)
  }

  get #running(): Clusters {
    if (!this.#clusters) throw new Error('the controller of Workspaces is not running: start the operator')
    return this.#clusters
  }
}
