// The program of one Module: its origin, its copy, and a manager of it.

import type { Cluster } from '../../../engine/cluster/cluster.js'
import { PermanentError } from '../../../engine/kube/error.js'
import { type Key, keyOf } from '../../../engine/kube/key.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Owner } from '../../../operator/owner/owner.js'
import { secretTexts } from '../../config/check-config.js'
import type { NamedObject } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'
import { clientCluster } from '../../manager/client-cluster.js'
import type { ModuleCluster } from '../../manager/module-cluster.js'
import type { ManagerSession, ModuleIdentity } from '../../manager/program-runner.js'
import type { WorkloadName } from '../../manager/scaling.js'
import { readAuthorization } from '../../program/authorization.js'
import { type ModuleOfRun, targetCluster, workspaceCluster } from '../connection/target-cluster.js'
import { containerKind, type FrozenDefinition, helmKind } from '../definition/definition.js'
import type { DefinitionReader } from '../definition/resolve-definition.js'
import { fieldsOf } from '../installation/freeze.js'
import type { CopyCalls } from '../programs/program-copy.js'

/** Creates the reader of the objects and URLs that a Module names. */
export function readerOf(run: ModuleOfRun): DefinitionReader {
  const { ctx, environment } = run
  const { client, signal } = ctx
  return {
    client,
    signal,
    readAuthorization: (secret) => {
      checkOwn(secret, ctx.key)
      return readAuthorization(secret, { client, signal })
    },
    fetchText: (url) => environment.programs.fetchText(url, signal),
    readCopy: (digest) => environment.copies.read(digest, copyCallsOf(run)),
  }
}

/** Throws for a Secret of another namespace, which the users who create Modules may not be allowed to use. */
function checkOwn(secret: NamedObject, { namespace, name }: Key): void {
  if (secret.namespace === namespace) return
  throw new PermanentError(
    `Module ${namespace}/${name}: the credentials of its program must be in a Secret of the namespace ${namespace}, got ${secret.namespace}/${secret.name}`,
  )
}

/** The calls in the cluster of the operator, where the copies of programs are. */
export function copyCallsOf({ ctx, environment }: ModuleOfRun): CopyCalls {
  const { client } = ctx.cluster(environment.own.cluster.name)
  return { client, signal: ctx.signal }
}

/** Makes sure that a copy of a program exists: it must be able to uninstall the Module, also without its origin. */
export async function keepCopy(
  { program }: FrozenDefinition,
  { run, isNewUser }: { readonly run: ModuleOfRun; readonly isNewUser: boolean },
): Promise<void> {
  const { copies, programs } = run.environment
  if (!program) return
  const load = () => programs.contentOf(program, readerOf(run))
  await copies.keep(program.digest ?? '', { ...copyCallsOf(run), isNewUser, load })
}

/** The namespace that the manager of a Module may use in a cluster; undefined for all. */
export function namespaceOf(
  { program }: Pick<FrozenDefinition, 'program'>,
  cluster: Pick<Cluster, 'name'>,
  { module, environment }: ModuleOfRun,
): string | undefined {
  const isLimited = program !== undefined && cluster === environment.cluster
  return isLimited ? environment.programs.namespaceOf(module.metadata.namespace ?? '') : undefined
}

/** Callbacks about the writes of a manager. */
export interface ManagerHooks {
  /** Called with the resource of each object that Kubernetes does not delete with the Module. */
  readonly onUnownedWrite?: (resource: Resource) => void
  /** Called with the workloads that are about to be put to sleep; nothing is written before it resolves. */
  readonly onSleep?: (workloads: readonly WorkloadName[]) => Promise<void>
}

/** Opens the manager of a Module. */
export async function openManager(
  frozen: FrozenDefinition,
  run: ModuleOfRun,
  hooks: ManagerHooks = {},
): Promise<ManagerSession> {
  const { ctx, environment } = run
  const { cluster, client } = await targetCluster(frozen.cluster, run)
  const { helm, keepVolumes } = environment
  if (frozen.kind === helmKind && helm) {
    const { spec, values } = frozen
    const sharedOptions = { owner: ownerOf(run), home: ctx.client, cluster, client, ctx, keepVolumes }
    return helm.open({ spec, values, ...sharedOptions, ...hooks })
  }
  if (frozen.kind === containerKind) return openContainer(frozen, run)
  const runner = await environment.programs.runnerOf(frozen, readerOf(run))
  return runner.open(identityOf(run), frozen.values, await moduleCluster(frozen, run, hooks))
}

/** The cluster that a Module is installed in, with what its manager may do there. */
export async function moduleCluster(
  frozen: FrozenDefinition,
  run: ModuleOfRun,
  hooks: ManagerHooks = {},
): Promise<ModuleCluster> {
  const { ctx, environment } = run
  const { cluster, client } = await targetCluster(frozen.cluster, run)
  const { fieldManager, keepVolumes } = environment
  const namespace = namespaceOf(frozen, cluster, run)
  const options = { client, cluster, owner: ownerOf(run), fieldManager, clock: ctx.clock, namespace }
  return clientCluster({ ...options, keepVolumes, ...hooks })
}

/**
 * Opens a manager that is a container. It runs in the cluster of the Modules: Services of other clusters are
 * unreachable.
 */
function openContainer(
  { spec, values: config, cluster }: FrozenDefinition,
  run: ModuleOfRun,
): ManagerSession {
  const { ctx, environment } = run
  const { containers, cluster: home, fieldManager } = environment
  if (!containers)
    throw new PermanentError(
      'the Module was installed by a container, and containers do not run here: set containers in the options of moduleControllers',
    )
  if (cluster !== undefined && cluster !== home.name)
    throw new PermanentError(
      `a container cannot install a Module in the cluster ${cluster}: use a Workspace with the connection in-cluster`,
    )
  const { client, clock } = ctx
  const options = { client, cluster: home, owner: ownerOf(run), fieldManager, clock }
  return containers.open({ module: identityOf(run), spec, config, cluster: clientCluster(options) })
}

function identityOf({ module }: ModuleOfRun): ModuleIdentity {
  const { name = '', namespace = '', uid = '' } = module.metadata
  const { workspace } = module.spec
  return { name, namespace, uid, workspace: `${workspace.namespace}/${workspace.name}` }
}

/** The Module as the owner of objects. */
export function ownerOf({ module, environment }: Omit<ModuleOfRun, 'ctx'>): Owner {
  const { uid = '' } = module.metadata
  return { cluster: environment.cluster.name, resource: modules, key: keyOf(module), uid }
}

/** Throws unless a Helm release may be installed as a definition says. */
export function checkHelm(
  { spec, values }: Pick<FrozenDefinition, 'spec' | 'values'>,
  run: ModuleOfRun,
  cluster = workspaceCluster(run),
): void {
  run.environment.helm?.check({ spec, values, cluster, owner: ownerOf(run) })
}

/** The texts of definitions that must not be in messages. */
export const secretTextsOf = (definitions: readonly FrozenDefinition[]): string[] =>
  definitions.flatMap((frozen) => secretTexts(fieldsOf(frozen), frozen.values))
