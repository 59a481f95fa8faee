import t from 'tap'
import type { KubeObject } from '../../engine/kube/object.js'
import { inDeleteOrder, inInstallOrder } from './install-order.js'

const objects = (...kinds: string[]) =>
  kinds.map((kind, at) => ({ source: '', object: { kind, metadata: { name: `${at}` } } as KubeObject }))
const kindsOf = (sorted: readonly { object: KubeObject }[]) => sorted.map(({ object }) => object.kind)

void t.test(
  'objects are deleted in the reverse order, webhooks first, but Services before workloads and unknown kinds last',
  (t) => {
    const rendered = objects(
      'Widget',
      'Ingress',
      'Deployment',
      'Service',
      'Namespace',
      'Secret',
      'Job',
      'IngressClass',
      'ValidatingWebhookConfiguration',
      'Gadget',
      'MutatingWebhookConfiguration',
    )
    const installed = inInstallOrder(rendered)
    t.strictSame(kindsOf(installed), [
      ...['Namespace', 'Secret', 'Service', 'Deployment', 'Job', 'IngressClass', 'Ingress'],
      ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'Gadget', 'Widget'],
    ])
    t.strictSame(kindsOf(inDeleteOrder(installed)), [
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
      ...[
        'Ingress',
        'IngressClass',
        'Service',
        'Job',
        'Deployment',
        'Secret',
        'Namespace',
        'Gadget',
        'Widget',
      ],
    ])
    const alike = inDeleteOrder(objects('Secret', 'Secret', 'Widget', 'Gadget', 'Gadget'))
    t.strictSame(
      alike.map(({ object }) => object.metadata.name),
      ['1', '0', '4', '3', '2'],
      'in reverse within a kind',
    )
    t.end()
  },
)
