import t from 'tap'
import { secrets } from '../../../engine/kube/builtin.js'
import type { RegisterContext } from '../../context/register-context.js'
import { namespacedNaming } from '../../naming/naming.js'
import type { References } from './reference-rules.js'
import { ReferenceTranslator } from './reference-translator.js'
import { type Widget, widgets } from './widgets.fixture.js'

const ctx = {
  vclusterName: 'vc',
  targetNamespace: 'vcluster-vc',
  currentNamespace: 'vcluster-vc',
  labelMode: 'reserved',
} as RegisterContext

const translatorOf = (references: References) =>
  new ReferenceTranslator<Widget>(widgets, namespacedNaming(ctx, {}), references)

const widget = (spec: Record<string, unknown>): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { namespace: 'default', name: 'a' },
  spec,
})

void t.test('a map of as many references as fit in an object is copied once', async (t) => {
  const names = Array.from({ length: 40_000 }, (_, index) => `p${index}`)
  const pools = Object.fromEntries(names.map((name) => [name, { secretName: 'a' }]))
  const original = widget({ pools: Object.freeze(pools) })
  const { spec } = translatorOf({ 'spec.pools[*].secretName': secrets }).toHost(original)
  const translated = (spec as { pools: Record<string, unknown> }).pools
  t.same(Object.keys(translated), names)
  t.same(translated.p7, { secretName: 'a-x-default-x-vc' })
  t.same(original.spec, { pools }, 'the original is not changed')
})

void t.test('as many selectors as fit in an object are read back at once', async (t) => {
  const rules = Array.from({ length: 20_000 }, (_, index) => ({ pods: { matchLabels: { app: `${index}` } } }))
  const translator = translatorOf({ 'spec.rules[*].pods': 'label-selector' })
  const original = widget({ rules })
  const back = await translator.toVirtual(translator.toHost(original), original, async () => undefined)
  t.same(back.spec, { rules })
})
