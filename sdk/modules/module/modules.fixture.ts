// An operator with Modules of a built-in kind, for tests. Its manager notes its calls.
import type { Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import {
  type TestOperator,
  type TestOperatorOptions,
  testOperator,
} from '../../../testing/operator/test-operator.js'
import type { Client } from '../../engine/client/client.js'
import { configMaps, type Event } from '../../engine/kube/builtin.js'
import { loadYaml } from '../../engine/kube/load-yaml.js'
import type { Resource } from '../../engine/kube/resource.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { crdOf } from '../../operator/kind/definition/crd-of.js'
import type { Operator } from '../../operator/operator.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { Manager, OperationContext, OperationKind } from '../manager/manager.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { Program } from '../manager/program.js'
import type { MetaData } from '../metadata/metadata.js'
import { moduleControllers } from '../module-controllers.js'
import type { ModulesOptions } from './connection/modules-options.js'
import { untilQuiet } from './until-quiet.fixture.js'

// Loads the package that reads definitions now: that takes time of the machine, which no virtual clock counts.
await loadYaml()

/** The definitions of both kinds. */
export const definitions = [crdOf(modules), crdOf(workspaces)]
/** The key of the Module of most tests. */
export const shop = { namespace: 'default', name: 'shop' }
const dev = { namespace: 'default', name: 'dev' }

/** One call of the manager. */
export interface NotedCall {
  readonly kind: OperationKind
  readonly ctx: OperationContext
  readonly metaData: MetaData
  readonly cluster: ModuleCluster
  readonly config: Record<string, unknown>
  /** The former configuration. */
  readonly before: unknown
}

type Behaviour = (call: NotedCall) => unknown

/**
 * A program whose calls are noted, and behave as tests say. Without more to do, `install` makes a ConfigMap and
 * `uninstall` deletes it.
 */
export class NotingProgram {
  readonly calls: NotedCall[] = []
  /** Called instead of the default behaviour. */
  behaviour: Partial<Record<OperationKind, Behaviour>> = {}

  /** The calls so far, as `install 1 first`. */
  get texts(): string[] {
    return this.calls.map(({ kind, ctx }) => `${kind} ${ctx.attempt} ${ctx.reason}`)
  }

  get program(): Program {
    return {
      name: 'noting',
      version: '1.0.0',
      sdk: '*',
      newManager: ({ cluster, config, module: { name } }) => {
        const call =
          (kind: OperationKind, usual: Behaviour) =>
          async (ctx: OperationContext, metaData: MetaData, before?: unknown): Promise<unknown> => {
            const values = config as Record<string, unknown>
            const noted = { kind, ctx, metaData, cluster, config: values, before }
            this.calls.push(noted)
            return (this.behaviour[kind] ?? usual)(noted)
          }
        const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-installed` } }
        const { upgrade, check } = this.behaviour
        return {
          ...(upgrade && { upgrade: call('upgrade', upgrade) }),
          ...(check && { check: call('check', check) }),
          install: call('install', async ({ metaData, cluster: target }) => {
            await target.apply([object])
            metaData.set('installed', object.metadata.name)
          }),
          uninstall: call('uninstall', ({ cluster: target }) => target.delete([object])),
          sleep: call('sleep', ({ metaData }) => metaData.set('slept', true)),
          resume: call('resume', ({ metaData }) => void metaData.delete('slept')),
        } as Manager
      },
    }
  }
}

/** Registers Modules with the program as the kind `Noting`. */
export const registering =
  (noting: NotingProgram, options: ModulesOptions = {}) =>
  (operator: Operator): void =>
    operator.register(...moduleControllers({ builtIn: { Noting: noting.program }, ...options }))

/** A Module whose definition is of the kind `Noting`. */
export function moduleOf(spec: Partial<Module['spec']> = {}, { name }: { name: string } = shop): Module {
  const source = { raw: { kind: 'Noting', metadata: { name: 'noting', version: '1.0.0' } } }
  return {
    metadata: { namespace: 'default', name },
    spec: { workspace: dev, hibernated: false, source, ...spec },
  } as Module
}

/**
 * Checks that a server takes a Module with exactly one of `source`, `helm` and `custom`, and none with `source.github`.
 */
export async function checkRefusedSpecs(
  t: Pick<Test, 'rejects'>,
  client: Pick<Client, 'create'>,
): Promise<void> {
  const [source, helm, custom] = [{ raw: { kind: 'Noting' } }, { chart: {} }, { image: 'web:1' }]
  const none = { source: undefined }
  const refused = [
    none,
    { source, custom },
    { source, helm },
    { ...none, helm, custom },
    { source, helm, custom },
  ]
  for (const spec of refused)
    await t.rejects(
      client.create(modules, moduleOf(spec as never, { name: 'refused' })),
      /exactly one of source, helm and custom must be set/,
      Object.keys(spec).join(' and '),
    )
  const github = moduleOf({ source: { github: {} } } as never, { name: 'refused' })
  await t.rejects(client.create(modules, github), /github is not supported/)
}

/** Creates the Workspace of the Modules. */
export const createWorkspace = (client: Client, spec: object = {}) =>
  client.create(workspaces, { metadata: { ...dev }, spec } as never)

/** Switches the Workspace. */
export const switchWorkspace = (client: Client, hibernated: boolean) =>
  client.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated } } })

/** A running operator, and its program. */
export interface ModulesTest extends TestOperator {
  readonly noting: NotingProgram
  /** The Module as it is now. */
  live(name?: string): Promise<Module>
  /** Changes the spec of the Module. */
  change(spec: object): Promise<Module>
}

/** Starts an operator of Modules, with a Workspace. */
export async function startModules(
  t: { teardown(done: () => Promise<void>): void },
  { modules: moduleOptions, ...options }: TestOperatorOptions & { modules?: ModulesOptions } = {},
): Promise<ModulesTest> {
  const noting = new NotingProgram()
  const test = await testOperator(registering(noting, moduleOptions), {
    definitions,
    logger: silentLogger,
    ...options,
  })
  t.teardown(() => test.stop())
  await createWorkspace(test.client).catch(() => {})
  await test.settled()
  return {
    ...test,
    noting,
    live: (name = shop.name) => test.client.get(modules, { ...shop, name }),
    change: (spec) => test.client.patch(modules, shop, { type: 'merge', body: { spec } }),
  }
}

/** Whether the object that the program installs is there. */
export const isInstalled = (client: Client, name = shop.name): Promise<boolean> =>
  client.get(configMaps, { namespace: 'default', name: `${name}-installed` }).then(
    () => true,
    () => false,
  )

/** The resource of Events. */
export const events: Resource<Event> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
}

/** A test under a virtual clock. */
export interface TimedTest extends ModulesTest {
  readonly clock: VirtualClock
  /** Lets time pass, and everything happen that is due. */
  pass(ms: number): Promise<void>
  /** The reasons of the Events about the Module. */
  reasons(): Promise<string[]>
}

/** Starts an operator of Modules under a virtual clock. */
export async function startTimed(
  t: Parameters<typeof startModules>[0],
  options: Parameters<typeof startModules>[1] & { clock?: VirtualClock } = {},
): Promise<TimedTest> {
  const { clock = new VirtualClock(), ...others } = options
  const test = await startModules(t, { clock, ...others })
  const quiet = () => untilQuiet(test, clock)
  const pass = async (ms: number) => {
    const endMs = clock.now() + ms
    await quiet()
    // From timer to timer, so that no time passes while there is work.
    for (let leftMs = ms; leftMs > 0; leftMs = endMs - clock.now()) {
      await clock.advance(Math.min(leftMs, Math.max(clock.dueInMs, 0)))
      await quiet()
    }
    for (let turn = 0; turn < 6; turn++) {
      await quiet()
      await clock.advance(2)
    }
  }
  const reasons = async () => {
    const { items } = await test.client.list(events)
    return items
      .filter(({ involvedObject }) => involvedObject.name === shop.name)
      .map(({ reason = '' }) => reason)
  }
  await pass(0)
  return { ...test, clock, pass, reasons }
}

/** Changes annotations of the Module; null removes one. */
export const annotate = ({ client }: ModulesTest, annotations: Record<string, string | null>) =>
  client.patch(modules, shop, { type: 'merge', body: { metadata: { annotations } } })
