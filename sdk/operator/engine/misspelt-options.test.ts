// Misspelt options, in programs whose types are not checked: each is refused where it is given.
import t from 'tap'
import * as z from 'zod'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { backups } from '../backups.fixture.js'
import { owned } from '../controller/owned.js'
import { watch } from '../controller/watch.js'
import { createOperator } from '../create-operator.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { admission } from '../webhook/admission.js'
import { webhookConfigurations, webhookConversion } from '../webhook/webhook-configurations.js'
import { controller } from './controller.js'

const options = { reconcile: () => {} }
const names = { group: 'a.example.com', version: 'v1', kind: 'Thing', spec: z.object({}) }
const webhook = { name: 'a', namespace: 'b', kinds: [], endpoint: { url: 'https://a.example.com/' } }

const misspelt: Readonly<Record<string, () => unknown>> = {
  'controller backups has no option concurency; did you mean concurrency?': () =>
    controller(backups, { ...options, concurency: 1 } as never),
  'controller daily has no option ownz; did you mean owns?': () =>
    controller(backups, { ...options, name: 'daily', ownz: [] } as never),
  'effects.bucket of controller backups has no option updat; did you mean update?': () =>
    controller(backups, { ...options, effects: { bucket: { updat: () => {} } } } as never),
  'permissions[0] of controller backups has no option namespcae; did you mean namespace?': () =>
    controller(backups, {
      ...options,
      permissions: [{ resource: secrets, verbs: ['get'], namespcae: 'a' }],
    } as never),
  'owned has no option adpot; did you mean adopt?': () => owned(secrets, { adpot: 'by-label' } as never),
  'watch has no option key; did you mean keys?': () => watch(secrets, { key: () => [] } as never),
  'admission has no option validates; did you mean validate?': () =>
    admission(configMaps, { validates: () => [] } as never),
  'webhookConfigurations has no option injectFro; did you mean injectFrom?': () =>
    webhookConfigurations({ ...webhook, injectFro: 'a/b' } as never),
  'webhookConversion has no option authority; its options are name, namespace, kinds, endpoint, authorities, serviceAccount, injectFrom':
    () => webhookConversion(backups, { ...webhook, authority: [] } as never),
  'webhooks of createOperator has no option prot; did you mean port?': () =>
    createOperator({ name: 'a', webhooks: { kinds: [], prot: 1 } } as never),
  'clusters.host of createOperator has no option contxt; did you mean context?': () =>
    createOperator({ name: 'a', clusters: { host: { contxt: 'b' } } } as never),
  'kind Thing has no option conditons; did you mean conditions?': () =>
    defineKind({ ...names, conditons: ['Ready'] } as never),
  'scale of kind Thing has no option replicas; its options are spec, status, selector': () =>
    defineKind({ ...names, scale: { replicas: '.spec.size' } } as never),
  'versions.v1beta1 of kind Thing has no option toHubb; did you mean toHub?': () =>
    defineKind({ ...names, versions: { v1beta1: { spec: z.object({}), toHubb: () => ({}) } } } as never),
  'columns[0] of kind Thing has no option pth; did you mean path?': () =>
    defineKind({ ...names, columns: [{ name: 'A', pth: '.spec.a', type: 'string' }] } as never),
  'crdOf has no option convertion; did you mean conversion?': () =>
    crdOf(backups, { convertion: { strategy: 'None' } } as never),
}

void t.test('each function refuses an option that it does not have', async (t) => {
  for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
})
