// The call of a manager, with all that it needs: the frozen definition, the metadata, the program, the cluster.
import type { ControllerContext } from '../../operator/controller/context.js'
import type { Owner } from '../../operator/owner/owner.js'
import { withOwnSignal } from '../../time/own-signal.js'
import { secretTexts } from '../config/check-config.js'
import type { Module, OperationRecord } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { clientCluster } from '../manager/client-cluster.js'
import type { OperationContext } from '../manager/manager.js'
import type { ManagerSession, ProgramName } from '../manager/program-runner.js'
import type { MetaData } from '../metadata/metadata.js'
import { hasRandomText } from '../template/render-templates.js'
import { callManager, HangingCallError, InterruptedError } from './call-manager.js'
import { clusterOfWorkspace } from './connection.js'
import { type FrozenDefinition, helmKind } from './definition.js'
import { fieldsOf, freeze } from './freeze.js'
import { MetaDataStore } from './metadata-store.js'
import { ModuleAnnotations } from './module-annotations.js'
import type { ModuleEnvironment } from './module-environment.js'
import { durationMs } from './operation-record.js'
import type { CopyOwner } from './program-copies.js'
import type { DefinitionReader } from './resolve-definition.js'
import { targetCluster } from './target-cluster.js'
import { wantsSleep } from './wants-sleep.js'

const defaultTimeoutMs = 300_000

/** Options of {@link ModuleCall}. */
export interface ModuleCallOptions {
  readonly ctx: ControllerContext<Module>
  readonly module: Module
  readonly environment: ModuleEnvironment
  readonly operation: OperationRecord
  readonly reason: OperationContext['reason']
}

/** A call that has succeeded. */
export interface MadeCall {
  readonly definition: FrozenDefinition
  readonly program: ProgramName
}

/** One attempt of an operation. */
export class ModuleCall {
  readonly #options: ModuleCallOptions
  #frozen: FrozenDefinition | undefined

  constructor(options: ModuleCallOptions) {
    this.#options = options
  }

  /** The texts that must not be in messages. */
  get secretTexts(): readonly string[] {
    return this.#frozen ? secretTexts(fieldsOf(this.#frozen), this.#frozen.values) : []
  }

  /** Makes the attempt, and stores the metadata whatever its end was. Answers the definition and its program. */
  async make(): Promise<MadeCall> {
    const { ctx, module, environment } = this.#options
    const annotations = await ModuleAnnotations.read(ctx.client, module)
    const { programs } = environment
    const cluster = this.#workspaceCluster()
    this.#frozen = await freeze(module, {
      ...{ annotations, programs, reader: this.#reader, cluster },
      checkHelm: (spec, values) => environment.helm?.check({ spec, values, cluster, owner: this.#owner }),
    })
    await this.#keepCopy(this.#frozen)
    const store = await MetaDataStore.open({
      client: ctx.client,
      annotations,
      inSecret: environment.metaDataInSecret || hasRandomText(this.#frozen.spec),
      secretTexts: () => this.secretTexts,
    })
    const metaData = store.load()
    const session = await this.#open(this.#frozen)
    try {
      await this.#callUnlessInterrupted(session, metaData)
    } finally {
      await session.close()
      await store.save(metaData)
    }
    return { definition: this.#frozen, program: session.program }
  }

  /** A program that installed a Module must be there to uninstall it, also without its origin. */
  async #keepCopy({ program }: FrozenDefinition): Promise<void> {
    const { ctx, environment, operation } = this.#options
    if (!program || (operation.kind !== 'install' && program.accepted === undefined)) return
    const content = await environment.programs.contentOf(program, this.#reader)
    await environment.copies.keep(content, this.#copyOwner, ctx)
  }

  get #copyOwner(): CopyOwner {
    const { module, environment } = this.#options
    const { workspace } = module.spec
    const { uid } = environment.cluster.store(workspaces).get(workspace)?.metadata ?? {}
    return { ...workspace, uid }
  }

  async #open(frozen: FrozenDefinition): Promise<ManagerSession> {
    const { ctx, module, environment } = this.#options
    const { name = '', namespace = '', uid = '' } = module.metadata
    const { workspace } = module.spec
    const { cluster, client } = await targetCluster(frozen.cluster, this.#options)
    const { helm } = environment
    const owner = this.#owner
    if (frozen.kind === helmKind && helm) {
      const { spec, values } = frozen
      return helm.open({ spec, values, owner, home: ctx.client, cluster, client, ctx })
    }
    const runner = await environment.programs.runnerOf(frozen, this.#reader)
    const identity = { name, namespace, uid, workspace: `${workspace.namespace}/${workspace.name}` }
    const { fieldManager } = environment
    const options = { client, cluster, owner, fieldManager, clock: ctx.clock }
    return runner.open(identity, frozen.values, clientCluster(options))
  }

  get #owner(): Owner {
    const { ctx, module, environment } = this.#options
    const { uid = '' } = module.metadata
    return { cluster: environment.cluster.name, resource: modules, key: ctx.key, uid }
  }

  #callUnlessInterrupted(session: ManagerSession, metaData: MetaData): Promise<void> {
    const { ctx, module, environment, operation, reason } = this.#options
    return withOwnSignal(ctx.signal, async (own) => {
      const stop = () => own.abort(environment.stop.reason)
      const look = () => {
        const why = this.#interruption()
        if (why) own.abort(new InterruptedError(why))
      }
      environment.stop.addEventListener('abort', stop, { once: true })
      const unsubscribe = environment.onChange(module, look)
      if (environment.stop.aborted) stop()
      look()
      try {
        const timeoutMs = this.#timeoutMs
        const { logger, clock } = ctx
        const { signal } = own
        await callManager(session, { operation, reason, timeoutMs, signal, clock, logger, metaData })
      } catch (error) {
        if (error instanceof HangingCallError) this.#keep(error)
        throw error
      } finally {
        unsubscribe()
        environment.stop.removeEventListener('abort', stop)
      }
    })
  }

  /** Why the call is not wanted any more. */
  #interruption(): string | undefined {
    const { module, environment, operation } = this.#options
    const { namespace = '', name = '', uid } = module.metadata
    const now = environment.cluster.store(modules).get({ namespace, name })
    if (operation.kind === 'uninstall') return undefined
    if (!now || now.metadata.uid !== uid || now.metadata.deletionTimestamp)
      return 'the Module is being deleted'
    const sleeps = wantsSleep(now, environment.cluster.store(workspaces))
    if (operation.kind === 'sleep' && !sleeps) return 'the Module is to wake'
    if (operation.kind === 'resume' && sleeps) return 'the Module is to sleep'
    return undefined
  }

  /** Calls for one Module never overlap: the next one waits for this. */
  #keep({ ended }: HangingCallError): void {
    const { hanging } = this.#options.environment
    const { uid = '' } = this.#options.module.metadata
    hanging.set(uid, ended)
    void ended.then(() => hanging.delete(uid))
  }

  /** The cluster of the Workspace as it is now; the one that holds the Modules if there is no Workspace any more. */
  #workspaceCluster(): string {
    const { module, environment } = this.#options
    const workspace = environment.cluster.store(workspaces).get(module.spec.workspace)
    const { cluster, clusters, hasKubeconfigs } = environment
    const { name: home } = cluster
    if (!workspace) return home
    return clusterOfWorkspace(workspace, { home, names: clusters.map(({ name }) => name), hasKubeconfigs })
  }

  get #timeoutMs(): number {
    const { timeout } = this.#options.module.spec
    return timeout === undefined ? defaultTimeoutMs : durationMs(timeout)
  }

  get #reader(): DefinitionReader {
    const { ctx, environment } = this.#options
    const { client, signal } = ctx
    return {
      ...{ client, signal },
      fetchText: (url) => environment.programs.fetchText(url, signal),
      readCopy: (digest) => environment.copies.read(digest, this.#copyOwner, { client, signal }),
    }
  }
}
