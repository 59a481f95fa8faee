/**
 * The controller of Modules. It promises that each attempt of an operation is recorded before it is made, that calls
 * for one Module never overlap, and that what installed a Module also uninstalls it. It leaves to the manager what an
 * operation does.
 */
import { concatMap, defer, EMPTY, from, ignoreElements, merge, type Observable } from 'rxjs'
import type { ObjectFacts } from '../../engine/inspector/fact-view.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Unit } from '../../engine/manager/unit.js'
import type { UnitEnvironment } from '../../engine/manager/unit-source.js'
import type { Store } from '../../engine/store/store.js'
import { writesTemporaryFiles } from '../../helm/render/writes-temporary-files.js'
import type { ControllerContext, DeletedContext } from '../../operator/controller/context.js'
import type { ControllerOptions } from '../../operator/controller/definition.js'
import { clusterNamed } from '../../operator/controller/environment.js'
import { type KeyMapper, watch } from '../../operator/controller/watch.js'
import { type ControllerDefinition, RegistrableController } from '../../operator/engine/controller.js'
import type { ReleaseReader } from '../../operator/engine/inspection.js'
import { ContainerModules } from '../container/container-modules.js'
import { containerPermissions } from '../container/containers-options.js'
import { HelmModules } from '../helm/helm-modules.js'
import { helmPermissions } from '../helm/helm-permissions.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { indexByWorkspace, modulesOfWorkspace } from '../kinds/modules-of-workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { viewModuleRelease } from './call/view-module-release.js'
import { knownClusters } from './connection/connection.js'
import { followModule } from './connection/follow-module.js'
import type { KubeconfigClusters } from './connection/kubeconfig-clusters.js'
import { ListableKinds } from './connection/listable-kinds.js'
import { type ModuleEnvironment, RecordedAttempts } from './connection/module-environment.js'
import type { ModulesOptions } from './connection/modules-options.js'
import { ModuleRun } from './module-run.js'
import {
  configMapScope,
  indexByConfigMap,
  modulesOfConfigMap,
  watchedKind,
} from './operation/named-config-maps.js'
import { ProgramCopies } from './programs/program-copies.js'
import { defaultNamespaces } from './programs/program-namespaces.js'
import { copyUsers, indexByCopy } from './programs/program-users.js'
import { Programs, type ProgramsOptions } from './programs/programs.js'
import { moduleFacts } from './record/module-facts.js'

/** The time limit of a run, in milliseconds: 24 h, longer than that of any call. The calls have limits of their own. */
const runLimitMs = 86_400_000
/** How many calls of managers are made at a time. */
const defaultConcurrency = 100

/** The verbs for the copies of programs. */
const ownVerbs = ['create', 'delete', 'get', 'list', 'patch']

/** Makes the controller of Modules. */
export function moduleController(
  options: ModulesOptions,
  kubeconfigs: KubeconfigClusters,
): ControllerDefinition<Module> {
  return new ModuleController(options, kubeconfigs)
}

/** Maps a changed Workspace to the keys of its Modules. */
const keysOfWorkspace: KeyMapper<KubeObject> = {
  prepare: indexByWorkspace,
  keysOf: (workspace, store) => modulesOfWorkspace(store, keyOf(workspace)).map(keyOf),
}

/** The controller that {@link moduleController} makes. Each run of a key makes a {@link ModuleRun}. */
class ModuleController extends RegistrableController<Module> {
  readonly #options: ModulesOptions
  readonly #kubeconfigs: KubeconfigClusters
  #environment: ModuleEnvironment | undefined
  #rendersByFiles = false

  constructor(options: ModulesOptions, kubeconfigs: KubeconfigClusters) {
    const runOf = (ctx: ControllerContext<Module>, module: DeepReadonly<Module>) =>
      new ModuleRun(ctx, module as Module, this.#running)
    super(modules, {
      ...controllerOptions(options),
      reconcile: (ctx, module) => runOf(ctx, module).reconcile(),
      finalize: (ctx, module) => runOf(ctx, module).uninstall(),
      triggers$: defer(() => merge(this.#modulesOfConfigMaps(), this.#sweepCopies())),
      deleted: (ctx, key) => this.#releaseProgram(ctx, key),
    })
    this.#options = options
    this.#kubeconfigs = kubeconfigs
  }

  /** True if programs are loaded into files, or if a helm program renders charts from files. */
  override get writesTemporaryFiles(): boolean {
    const { programs, helm } = this.#options
    return programs !== undefined || helm?.renderer?.writesTemporaryFiles === true || this.#rendersByFiles
  }

  /** The default renderer of charts may be a helm program. */
  override async findPermissions(): Promise<void> {
    const { helm } = this.#options
    this.#rendersByFiles = helm !== undefined && (await writesTemporaryFiles(helm.renderer))
  }

  override factsOf(object: KubeObject): ObjectFacts {
    return moduleFacts(object)
  }

  override get releases(): ReleaseReader | undefined {
    if (!this.#options.helm) return undefined
    return { read: (object) => viewModuleRelease(object as Module, this.#running) }
  }

  override unitFor(environment: UnitEnvironment): Unit {
    this.#environment = this.#environmentIn(environment)
    const { programs, helm } = this.#environment
    const close = () => {
      this.#close(programs)
      void helm?.close()
    }
    environment.abort.addEventListener('abort', close, { once: true })
    const unit = super.unitFor(environment)
    const { cluster, own } = this.#environment
    return {
      ...unit,
      indexStores: () => {
        unit.indexStores?.()
        const store = cluster.store(modules) as unknown as Store
        indexByCopy(store, own)
        indexByConfigMap(store)
      },
    }
  }

  #modulesOfConfigMaps(): Observable<Key> {
    const { cluster } = this.#running
    const store = cluster.store(modules) as unknown as Store
    const change$ = cluster.changes$(watchedKind, configMapScope)
    return change$.pipe(concatMap(({ key }) => modulesOfConfigMap(store, key)))
  }

  /** Deletes the copies of programs whose last Module was deleted while no process ran. */
  #sweepCopies(): Observable<never> {
    const { copies, own, cluster, stop: signal, logger } = this.#running
    if (!this.#options.programs) return EMPTY
    const sweep = copies.sweep({ client: own.cluster.client, signal, users: copyUsers(cluster, own) })
    const logFailure = (error: unknown) =>
      logger.warn({ error }, 'copies of programs that no Module uses were not deleted')
    return from(sweep.catch(logFailure)).pipe(ignoreElements())
  }

  /** Deletes the copy of a program after its last Module was deleted. */
  async #releaseProgram({ cluster: access, signal }: DeletedContext, key: Key): Promise<void> {
    const { leaving, copies, cluster, own } = this.#running
    const used = leaving.get(formatKey(key))
    if (used === undefined) return
    const { client } = access(own.cluster.name)
    await copies.release(used, { client, signal, users: copyUsers(cluster, own) })
    leaving.delete(formatKey(key))
  }

  #close(programs: Programs): void {
    void programs.close()
    void this.#kubeconfigs.close()
  }

  #environmentIn(environment: UnitEnvironment): ModuleEnvironment {
    const { program, clusters, own, logger, clock, stop } = environment
    const { helm, metadata, keepVolumes = false } = this.#options
    const containers = this.#options.containers && new ContainerModules(this.#options.containers)
    const cluster = clusterNamed(this.options.cluster, { clusters, controller: this.name })
    const namespaces = defaultNamespaces(own, cluster)
    const names = clusters.map(({ name }) => name)
    return {
      programs: this.#programsIn(environment, { containers, defaultNamespaces: namespaces }),
      logger,
      clock,
      helm: helm && new HelmModules(helm),
      containers,
      cluster,
      clusters,
      stop,
      kubeconfigs: this.#kubeconfigs,
      connections: knownClusters(this.#options, { home: cluster.name, names }),
      listable: new ListableKinds(cluster.name, controllerOptions(this.#options).permissions ?? []),
      fieldManager: `${program}.${this.name}.objects`,
      metaDataInSecret: metadata === 'secret',
      keepVolumes,
      configMaps: cluster.store(watchedKind, configMapScope) as unknown as Store,
      own,
      copies: new ProgramCopies(own),
      ...emptyMemory(),
      onChange: (module, callback) => followModule(cluster, module, callback),
    }
  }

  #programsIn(
    { logger, clock }: UnitEnvironment,
    programOptions: Pick<ProgramsOptions, 'containers' | 'defaultNamespaces'>,
  ): Programs {
    const { builtIn = {}, programs: loaded, helm } = this.#options
    return new Programs({ builtIn, hasHelm: helm !== undefined, loaded, logger, clock, ...programOptions })
  }

  get #running(): ModuleEnvironment {
    if (!this.#environment) throw new Error('the controller of Modules is not running: start the operator')
    return this.#environment
  }
}

/** The state that the runs of Modules keep in memory. */
const emptyMemory = (): Pick<
  ModuleEnvironment,
  'leaving' | 'attempts' | 'hanging' | 'checks' | 'sleepVerdicts' | 'refusals'
> => ({
  leaving: new Map(),
  attempts: new RecordedAttempts(),
  hanging: new Map(),
  checks: new Map(),
  sleepVerdicts: new Map(),
  refusals: new Map(),
})

function controllerOptions({
  workspaces: cluster,
  concurrency = defaultConcurrency,
  permissions = [],
  programs,
  helm,
  containers,
}: ModulesOptions): Omit<ControllerOptions<Module>, 'reconcile'> {
  return {
    ...(cluster !== undefined && { cluster }),
    finalizer: 'forkspacer.com/module',
    watches: [watch(workspaces, { keys: keysOfWorkspace })],
    permissions: [
      { resource: modules, verbs: ['get'] },
      { resource: configMaps, verbs: ['get', 'list', 'watch'] },
      ...(programs ? [{ resource: configMaps, verbs: ownVerbs, inOwnNamespace: true }] : []),
      { resource: secrets, verbs: ['create', 'get', 'update'] },
      ...(helm ? helmPermissions : []),
      ...(containers ? containerPermissions(containers) : []),
      ...permissions,
    ],
    runLimitMs,
    concurrency,
  }
}
