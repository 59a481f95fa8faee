// Mistakes that registering catches: values that are not runnables, methods that are never called, and
// syncers that conflict.
import t from 'tap'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import {
  type ConfigMap,
  configMaps,
  deployments,
  type Pod,
  pods,
  secrets,
} from '../../engine/kube/builtin.js'
import { nearestName } from '../../engine/kube/nearest-name.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { ClientHook, type HookContext } from '../hook/client-hook.js'
import type { Runnable } from '../syncer/runnable.js'
import { mirrorDown, mirrorUp } from '../syncer/translator/mirror.js'
import { NamespacedTranslator } from '../syncer/translator/namespaced-translator.js'
import type { Plugin } from './plugin.js'

class ConfigMapSyncer extends NamespacedTranslator<ConfigMap> {
  constructor(ctx: RegisterContext) {
    super(ctx, 'configmap', configMaps)
  }

  override async syncDown(_ctx: SyncContext) {}
  override async sync() {}
}

/** Lacks the method for keys with both objects. */
class HalfSyncer extends ConfigMapSyncer {
  constructor(ctx: RegisterContext) {
    super(ctx)
    Object.assign(this, { sync: undefined })
  }
}

/** Passes on what it is given. */
class PassingHook<T extends KubeObject> extends ClientHook<T> {
  override mutateCreatePhysical(_ctx: HookContext, object: T): T {
    return object
  }
}

/** Registers one thing, and ends. */
async function registering(runnable: (ctx: RegisterContext) => unknown): Promise<void> {
  const test = await testPlugin((plugin, ctx) => plugin.register(runnable(ctx) as never))
  await test.stop()
}

void t.test(
  'a value that is not a runnable is refused with a message that says what to register',
  async (t) => {
    const code = 'INVALID_REGISTRATION'
    await t.rejects(
      registering(() => ConfigMapSyncer),
      {
        code,
        message: /given the class ConfigMapSyncer .*plugin\.register\(new ConfigMapSyncer\(ctx\)\)/,
      },
    )
    await t.rejects(
      registering((ctx) => new HalfSyncer(ctx)),
      { code, message: 'the syncer configmap has no method sync; write it in its class' },
    )
    await t.rejects(
      registering(() => mirrorDown),
      { code, message: /the function mirrorDown; call it/ },
    )
    await t.rejects(
      registering(() => undefined),
      { code, message: /given undefined/ },
    )
    await t.rejects(
      registering(() => null),
      { code, message: /given null/ },
    )
    await t.rejects(
      registering(async () => ({ name: 'late' })),
      { code, message: /a promise; await it/ },
    )
    await t.rejects(
      registering(() => ({})),
      { code, message: /without a name/ },
    )
  },
)

void t.test('a hook that vcluster would never call is refused, with the name that was meant', async (t) => {
  const code = 'INVALID_HOOK'
  class Slip extends ClientHook<Pod> {
    mutateCreatePhysicl(_ctx: HookContext, pod: Pod): Pod {
      return pod
    }
  }
  class Far extends ClientHook<Pod> {
    mutatePodOnHost(_ctx: HookContext, pod: Pod): Pod {
      return pod
    }
  }
  class Empty extends ClientHook<Pod> {}
  class SlipBesideAnother extends PassingHook<Pod> {
    mutateUpdatevirtual(_ctx: HookContext, pod: Pod): Pod {
      return pod
    }
  }
  await t.rejects(
    registering(() => new Slip('slip', pods)),
    {
      code,
      message:
        /^Hook slip has mutateCreatePhysicl, .*did you mean mutateCreatePhysical\? The methods .* mutateApplyVirtual\.$/,
    },
  )
  await t.rejects(
    registering(() => new Far('far', pods)),
    { code, message: /mutatePodOnHost.*did you mean mutate/ },
  )
  await t.rejects(
    registering(() => new Empty('empty', pods)),
    { code, message: /has no method that vcluster calls/ },
  )
  await t.rejects(
    registering(() => new SlipBesideAnother('slip', pods)),
    {
      code,
      message: /mutateUpdatevirtual, .*did you mean mutateUpdateVirtual\?/,
    },
  )
  class WithHelper extends PassingHook<Pod> {
    mutateLabels(): void {}
  }
  await t.resolves(
    registering(() => new WithHelper('helped', pods)),
    'a method of its own is its own',
  )
})

/** The warnings of a plugin's start. */
async function warningsOf(runnables: (ctx: RegisterContext) => readonly Runnable[]): Promise<string[]> {
  const said: string[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (_fields, message) => said.push(message),
    child: () => logger,
  }
  const register = (plugin: Plugin, ctx: RegisterContext) => {
    for (const one of runnables(ctx)) plugin.register(one)
  }
  const test = await testPlugin(register, { logger })
  await test.stop()
  return said
}

void t.test('two registrations with one name are refused with what both are', async (t) => {
  const select = () => true
  const twins = warningsOf((ctx) => [
    mirrorDown(ctx, configMaps, { select }),
    mirrorDown(ctx, configMaps, { select }),
  ])
  await t.rejects(twins, {
    code: 'DUPLICATE_NAME',
    message:
      'a syncer of configmaps and a syncer of configmaps are both named configmap-down: give one of them another name, in the option name or in its constructor',
  })
  const mixed = warningsOf((ctx) => [new PassingHook('pods', pods), mirrorDown(ctx, pods, { name: 'pods' })])
  await t.rejects(mixed, { message: /^a hook of pods and a syncer of pods are both named pods: / })
})

void t.test('two syncers that copy the same objects are named', async (t) => {
  const twins = await warningsOf((ctx) => [
    mirrorDown(ctx, configMaps, { name: 'first' }),
    mirrorDown(ctx, configMaps, { name: 'second' }),
    mirrorDown(ctx, secrets),
  ])
  t.match(twins, [/^syncers first and second both copy configmaps from the virtual cluster: /])
  t.equal(twins.length, 1)
  const apart = await warningsOf((ctx) => [
    mirrorDown(ctx, configMaps, { name: 'down' }),
    mirrorUp(ctx, configMaps, { name: 'up', mappings: { 'shared/*': 'default/*' } }),
    mirrorUp(ctx, configMaps, { name: 'other', mappings: { 'other/*': 'default/*' } }),
  ])
  t.same(apart, [], 'another direction or namespace is another matter')
})

void t.test(
  'of two syncers that give copies the same names, both say what they select, or none',
  async (t) => {
    const select = () => true
    const register = (...made: ((ctx: RegisterContext) => Runnable)[]) =>
      warningsOf((ctx) => made.map((make) => make(ctx)))
    const selecting = (ctx: RegisterContext) => mirrorDown(ctx, configMaps, { name: 'some', select })
    for (const all of [
      (ctx: RegisterContext) => mirrorDown(ctx, configMaps, { name: 'configmap' }),
      (ctx: RegisterContext) => new ConfigMapSyncer(ctx),
    ]) {
      const message =
        /syncers some and configmap copy configmaps under the same names, and only some selects its objects/
      await t.rejects(register(selecting, all), { code: 'OVERLAPPING_SYNCERS', message })
      await t.rejects(register(all, selecting), { code: 'OVERLAPPING_SYNCERS', message })
    }
    t.same(await register(selecting, (ctx) => mirrorDown(ctx, configMaps, { name: 'others', select })), [])
    const shortNames = (ctx: RegisterContext) =>
      mirrorDown(ctx, configMaps, { name: 'short', names: 'short' })
    t.match(await register(selecting, shortNames), [/./], 'other names are other copies')
  },
)

void t.test('a hook for a kind that vcluster does not handle is warned of', async (t) => {
  const cars: Resource = {
    group: 'example.com',
    version: 'v1',
    kind: 'Car',
    plural: 'cars',
    namespaced: true,
  }
  const hookFor = <T extends KubeObject>(resource: Resource<T>) => new PassingHook(resource.plural, resource)
  t.same(await warningsOf(() => [hookFor(pods), hookFor(secrets)]), [])
  t.match(await warningsOf(() => [hookFor(deployments)]), [
    /^hook deployments: vcluster does not sync Deployment \(deployments\.apps\), so it never calls the hook\.$/,
  ])
  t.match(await warningsOf(() => [hookFor(cars)]), [/^hook cars: .* Car .*sync\.toHost\.customResources/])
  t.match(await warningsOf((ctx) => [hookFor(configMaps), mirrorDown(ctx, configMaps)]), [
    /^hook configmaps: this plugin's own syncer configmap-down copies configmaps, .*never calls the hook/,
  ])
})

void t.test('the nearest name is the one with the fewest changed letters', async (t) => {
  t.strictSame(nearestName('abd', ['xyz', 'abc', 'abcd']), { name: 'abc', distance: 1 })
  t.strictSame(nearestName('', ['ab']), { name: 'ab', distance: 2 })
  t.strictSame(nearestName('kitten', ['sitting']), { name: 'sitting', distance: 3 })
  t.equal(nearestName('x', []), undefined)
})
