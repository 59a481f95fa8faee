// Tests mirrors whose options are an instance of a class: its methods are on the prototype, and use its private fields.
import t from 'tap'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import { mirrorBoth, mirrorDown, mirrorUp } from './mirror.js'

class Shared {
  readonly #label = 'shared'
  select({ metadata }: ConfigMap) {
    return metadata.labels?.[this.#label] === 'yes'
  }
}

class SharedWithMark extends Shared {
  readonly #mark = 'of the class'
  transform(virtual: ConfigMap): ConfigMap {
    return { ...virtual, data: { by: this.#mark } }
  }
}

const labels = { shared: 'yes' }

void t.test('methods of options for copies on the host are called', async (t) => {
  for (const [mirror, data] of [
    [mirrorDown, { by: 'of the class' }],
    [mirrorBoth, { a: '1' }],
  ] as const) {
    const options = mirror === mirrorDown ? new SharedWithMark() : new Shared()
    const test = await running(t, (plugin, ctx) => plugin.register(mirror(ctx, configMaps, options)))
    await test.virtual.create(configMaps, {
      metadata: { namespace: 'default', name: 'a', labels },
      data: { a: '1' },
    })
    await test.virtual.create(configMaps, { metadata: { namespace: 'default', name: 'b' } })
    await test.settled()
    const copies = (await test.host.list(configMaps, { namespace: 'vcluster-vc' })).items
    t.strictSame(
      copies
        .filter(({ metadata }) => metadata.name?.endsWith('-x-vc'))
        .map((copy) => [copy.metadata.name, copy.data]),
      [['a-x-default-x-vc', data]],
      mirror.name,
    )
  }
})

void t.test('methods of options for copies in the virtual cluster are called', async (t) => {
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorUp(ctx, configMaps, new SharedUp())))
  await test.host.create(configMaps, { metadata: { namespace: 'vcluster-vc', name: 'a', labels } })
  await test.host.create(configMaps, { metadata: { namespace: 'vcluster-vc', name: 'b' } })
  await test.settled()
  const copies = (await test.virtual.list(configMaps, { namespace: 'team' })).items
  t.strictSame(
    copies.map(({ metadata }) => metadata.name).filter((name) => name?.length === 1),
    ['a'],
  )
})

class SharedUp extends Shared {
  readonly mappings = { '': 'team' }
}
