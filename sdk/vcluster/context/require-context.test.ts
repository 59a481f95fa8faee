// Tests that syncers that are made without their context say where it comes from.
import t from 'tap'
import { type ConfigMap, configMaps, type StorageClass, storageClasses } from '../../engine/kube/builtin.js'
import { ClusterTranslator } from '../syncer/translator/cluster-translator.js'
import { FromHostTranslator } from '../syncer/translator/from-host-translator.js'
import { mirrorBoth, mirrorDown, mirrorUp } from '../syncer/translator/mirror.js'
import { MirrorTranslator } from '../syncer/translator/mirror-translator.js'
import { NamespacedTranslator } from '../syncer/translator/namespaced-translator.js'
import { UpTranslator } from '../syncer/translator/up-translator.js'
import type { RegisterContext } from './register-context.js'

class ConfigMaps extends NamespacedTranslator<ConfigMap> {
  syncDown = async () => undefined
  sync = async () => undefined
}

class Classes extends ClusterTranslator<StorageClass> {
  syncDown = async () => undefined
  sync = async () => undefined
}

class Shown extends UpTranslator<ConfigMap> {
  override virtualToHost = () => undefined
  override hostToVirtual = () => undefined
  override isManaged = () => false
}

const made: [user: string, make: (ctx: RegisterContext) => unknown][] = [
  ['a mirror', (ctx) => mirrorDown(ctx, configMaps)],
  ['a mirror', (ctx) => mirrorBoth(ctx, storageClasses)],
  ['a mirror', (ctx) => mirrorUp(ctx, configMaps)],
  ['the syncer mine', (ctx) => new ConfigMaps(ctx, 'mine', configMaps)],
  ['the syncer mine', (ctx) => new Classes(ctx, 'mine', storageClasses)],
  ['the syncer mine', (ctx) => new FromHostTranslator(ctx, 'mine', configMaps, { mappings: {} })],
  ['the syncer mine', (ctx) => new MirrorTranslator(ctx, 'mine', storageClasses)],
  ['the syncer mine', (ctx) => new Shown(ctx, 'mine', configMaps)],
]

void t.test('a syncer without the context of plugin.init() is refused', (t) => {
  const wrong: [ctx: unknown, given: string][] = [
    [undefined, 'undefined'],
    [{}, 'not the context of a plugin'],
    [null, 'not the context of a plugin'],
    ['ctx', 'not the context of a plugin'],
    [Promise.resolve({}), 'a promise, which needs await'],
  ]
  for (const [user, make] of made)
    for (const [ctx, given] of wrong)
      t.throws(() => make(ctx as RegisterContext), {
        code: 'INVALID_REGISTRATION',
        message: `${user} has no context: its first argument is ${given}; pass ctx from const ctx = await plugin.init()`,
      })
  t.end()
})
