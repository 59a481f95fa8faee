/**
 * The controller of Workspaces. Modules read in their Workspace whether to sleep. Nothing is written into the specs of
 * Modules, so a Module with its own `spec.hibernated` still sleeps after its Workspace woke.
 */
import { defer } from 'rxjs'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import type { ObjectFacts } from '../../engine/inspector/fact-view.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { isConflict } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Unit } from '../../engine/manager/unit.js'
import type { AccessRule, UnitEnvironment } from '../../engine/manager/unit-source.js'
import type { Store } from '../../engine/store/store.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import {
  type ControllerPermission,
  rulesOfPermissions,
} from '../../operator/controller/controller-permission.js'
import { requeue } from '../../operator/controller/definition.js'
import { clusterNamed } from '../../operator/controller/environment.js'
import { type ControllerDefinition, RegistrableController } from '../../operator/engine/controller.js'
import type { ReleaseReader } from '../../operator/engine/inspection.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { indexByWorkspace } from '../kinds/modules-of-workspace.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { checkManaged } from '../managed/check-managed.js'
import { ManagedVclusters } from '../managed/managed-vclusters.js'
import { connectionOf, vclusterOf } from '../managed/place.js'
import { isCopyingData } from '../module/call/wants-sleep.js'
import { clusterOfWorkspace, knownClusters } from '../module/connection/connection.js'
import type { KubeconfigClusters } from '../module/connection/kubeconfig-clusters.js'
import { forceDeleteAnnotation } from '../module/operation/report-operation.js'
import { applySchedule } from './auto-hibernation.js'
import { checkVcluster, type DeepSleep } from './deep-sleep.js'
import { Forks } from './forks.js'
import { indexByOrigin } from './forks-of-workspace.js'
import { installVcluster, uninstallVcluster, withKubeconfig } from './managed-run.js'
import { vclusterReleases } from './vcluster-releases.js'
import { modulesIn, type WorkspaceClusters } from './workspace-clusters.js'
import { workspaceFacts } from './workspace-facts.js'
import { countModules, moduleNames, removeModules } from './workspace-modules.js'
import { controllerOptions, type WorkspaceOptions } from './workspace-options.js'
import { reportFailed, reportReady, reportTerminating, reportWaiting } from './workspace-status.js'
import { keepVclusterOf, releaseVclusterOf } from './workspace-vcluster.js'

/** The interval of runs of a Workspace that waits for its Modules, in milliseconds. Changes of Modules run it too. */
const recheckMs = 300_000

/** The advice about Modules of a vcluster that does not exist. */
const forceDeleteAdvice = `if a Module cannot be uninstalled without it, the annotation ${forceDeleteAnnotation}: "true" lets the Module go`

/** Requeues at once, after the status of this run was written. */
const requeueAtOnce: ReconcileResult = { requeueAfterMs: 1 }

/** Makes the controller of Workspaces. */
export function workspaceController(
  options: WorkspaceOptions,
  kubeconfigs: KubeconfigClusters,
): ControllerDefinition<Workspace> {
  return new WorkspaceController(options, kubeconfigs)
}

/** The controller that {@link workspaceController} makes. */
class WorkspaceController extends RegistrableController<Workspace> {
  #clusters: WorkspaceClusters | undefined
  #foundPermissions: readonly ControllerPermission[] = []
  #rendersByFiles = false
  readonly #isAllowed: boolean
  readonly #forks: Forks
  readonly #managed: ManagedVclusters | undefined
  readonly #options: WorkspaceOptions
  readonly #kubeconfigs: KubeconfigClusters

  constructor(options: WorkspaceOptions, kubeconfigs: KubeconfigClusters) {
    super(workspaces, {
      ...controllerOptions(options),
      reconcile: (ctx, workspace) => this.#reconcile(ctx, workspace),
      triggers$: defer(() => this.#forks.waiting$(this.#running)),
      finalize: (ctx, workspace) => this.#finalize(ctx, workspace as Workspace),
    })
    const { vclusters = false, managed } = options
    this.#isAllowed = vclusters
    this.#managed = managed && new ManagedVclusters(managed)
    this.#forks = new Forks(options, kubeconfigs)
    this.#options = options
    this.#kubeconfigs = kubeconfigs
  }

  override get accessRules(): readonly AccessRule[] {
    return [...super.accessRules, ...rulesOfPermissions(this.#foundPermissions, this.options.cluster)]
  }

  /** True if a helm program renders the chart of a vcluster from files. */
  override get writesTemporaryFiles(): boolean {
    return this.#rendersByFiles
  }

  override async findPermissions(): Promise<void> {
    this.#foundPermissions = (await this.#managed?.permissions()) ?? []
    this.#rendersByFiles = (await this.#managed?.writesTemporaryFiles()) ?? false
  }

  override factsOf(object: KubeObject): ObjectFacts {
    const { clock } = this.#running
    return workspaceFacts(object, { modules: modulesIn(this.#running, keyOf(object)), now: clock.date() })
  }

  override get releases(): ReleaseReader | undefined {
    return this.#managed && vclusterReleases(this.#managed, () => this.#running)
  }

  override unitFor(environment: UnitEnvironment): Unit {
    const { clusters, clock } = environment
    const home = clusterNamed(this.options.cluster, { clusters, controller: this.name })
    this.#clusters = { home, names: clusters.map(({ name }) => name), clock }
    environment.abort.addEventListener('abort', () => void this.#managed?.close(), { once: true })
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
    workspace: DeepReadonly<Workspace>,
  ): Promise<ReconcileResult | undefined> {
    try {
      return await this.#run(ctx, workspace as Workspace)
    } catch (error) {
      if (isConflict(error)) throw error
      reportFailed(ctx, error)
      throw error
    }
  }

  async #run(ctx: ControllerContext<Workspace>, workspace: Workspace): Promise<ReconcileResult | undefined> {
    this.#check(workspace)
    const clusters = this.#running
    const fork = await this.#forks.copyModules({ ctx, workspace, clusters })
    ctx.status.fork = fork
    if (fork?.phase === 'waiting') {
      reportWaiting(ctx, fork.message)
      return undefined
    }
    const now = ctx.clock.date()
    const { lastScheduleTime, requeueAfterMs } = await applySchedule(workspace, { client: ctx.client, now })
    ctx.status.lastScheduleTime = lastScheduleTime
    const sleepState = await this.#ensureVcluster(ctx, workspace)
    const isAwake = sleepState === undefined || sleepState.state === 'awake'
    if (connectionOf(workspace).type === 'kubeconfig' && isAwake)
      await this.#kubeconfigs.check(workspace, ctx)
    this.#report(ctx, workspace, sleepState)
    if (sleepState?.requeuesAtOnce) return requeueAtOnce
    const data = isAwake ? await this.#forks.copyData({ ctx, workspace, clusters }) : undefined
    if (data) return data
    return requeueAfterMs === undefined ? undefined : requeue({ afterMs: requeueAfterMs, exact: true })
  }

  /** Throws for a Workspace that this operator does not support. */
  #check(workspace: Workspace): void {
    const { home, names } = this.#running
    checkManaged(workspace, { names, options: this.#managed?.options })
    const clusters = knownClusters(this.#options, { home: home.name, names })
    clusterOfWorkspace(workspace, clusters)
    checkVcluster(workspace, { ...clusters, isAllowed: this.#isAllowed })
    this.#forks.check(workspace)
  }

  /** Installs the vcluster of a managed Workspace, then brings any vcluster into the wanted state. */
  async #ensureVcluster(
    ctx: ControllerContext<Workspace>,
    workspace: Workspace,
  ): Promise<DeepSleep | undefined> {
    const clusters = this.#running
    const run = { ctx, workspace, clusters, cluster: clusters.home }
    const managed = workspace.spec.type === 'managed' ? this.#managed : undefined
    if (managed) await installVcluster(managed, run)
    const sleepState = await keepVclusterOf(run, workspace.spec.hibernated)
    return managed && sleepState ? withKubeconfig(sleepState, run) : sleepState
  }

  #report(ctx: ControllerContext<Workspace>, workspace: Workspace, sleepState: DeepSleep | undefined): void {
    const counts = countModules(this.#modulesOf(ctx))
    ctx.status.modules = counts.modules
    ctx.status.vcluster = sleepState?.state
    if (sleepState?.state === 'sleeping' || sleepState?.state === 'waking')
      reportWaiting(ctx, sleepState.message)
    else reportReady(ctx, workspace, { counts, deep: sleepState, isCopying: isCopyingData(ctx.status) })
  }

  /**
   * All Modules are deleted at once; the Workspace goes after the last one, and after its managed vcluster. Another
   * vcluster that it put to sleep is woken.
   */
  async #finalize(
    ctx: ControllerContext<Workspace>,
    workspace: Workspace,
  ): Promise<ReconcileResult | undefined> {
    const remaining = this.#modulesOf(ctx)
    await this.#forks.abandonData({ ctx, workspace, clusters: this.#running })
    if (remaining.length > 0) return this.#deleteModules(ctx, workspace)
    if (this.#isAllowed && workspace.spec.type !== 'managed') {
      const sleepState = await releaseVclusterOf({ ctx, workspace, clusters: this.#running })
      if (sleepState?.requeuesAtOnce) return requeueAtOnce
    }
    const waitsFor = await uninstallVcluster(this.#managed, { ctx, workspace, cluster: this.#running.home })
    if (waitsFor === undefined) return undefined
    reportTerminating(ctx, waitsFor)
    return requeue({ afterMs: recheckMs })
  }

  async #deleteModules(
    ctx: ControllerContext<Workspace>,
    workspace: Workspace,
  ): Promise<ReconcileResult | undefined> {
    const remaining = this.#modulesOf(ctx)
    const waitsFor = `waits for the Modules ${moduleNames(remaining)}`
    reportTerminating(ctx, waitsFor)
    await removeModules(ctx.client, remaining)
    const isKept = this.#isAllowed || (this.#managed && workspace.spec.type === 'managed')
    const run = { ctx, workspace, clusters: this.#running }
    const sleepState = isKept ? await releaseVclusterOf(run) : undefined
    ctx.status.vcluster = sleepState?.state
    const vcluster = vclusterOf(workspace)
    if (isKept && vcluster && !sleepState)
      reportTerminating(
        ctx,
        `${waitsFor}; vcluster ${formatKey(vcluster)} does not exist: ${forceDeleteAdvice}`,
      )
    return sleepState?.requeuesAtOnce ? requeueAtOnce : requeue({ afterMs: recheckMs })
  }

  #modulesOf({ key }: ControllerContext<Workspace>): readonly Module[] {
    return modulesIn(this.#running, key)
  }

  get #running(): WorkspaceClusters {
    if (!this.#clusters) throw new Error('the controller of Workspaces is not running: start the operator')
    return this.#clusters
  }
}
