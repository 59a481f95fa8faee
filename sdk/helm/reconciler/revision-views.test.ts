import t from 'tap'
import type { StoredRelease } from '../release/stored-release.js'
import { revisionChanges } from './revision-changes.js'
import { revisionViews } from './revision-views.js'

const service = (apiVersion: string, more = '') =>
  `---\napiVersion: ${apiVersion}\nkind: Service\nmetadata: {name: web}\n${more}\n`
const [ofCore, ofKnative] = [service('v1'), service('serving.knative.dev/v1')]

void t.test('objects of one kind and name in two groups are different objects', async (t) => {
  const [removed] = await revisionChanges(ofCore + ofKnative, ofKnative)
  t.same(removed, { object: 'Service web', what: 'removed', fields: [] })
  t.same(await revisionChanges(ofCore, ofKnative), [
    { object: 'Service web', what: 'removed', fields: [] },
    { object: 'Service.serving.knative.dev web', what: 'added', fields: [] },
  ])
  const newer = service('serving.knative.dev/v2')
  t.same(await revisionChanges(ofKnative, newer), [
    { object: 'Service web', what: 'changed', fields: ['apiVersion'] },
  ])
})

const revision = (version: number, manifest: string) =>
  ({
    release: {
      version,
      manifest,
      info: { status: 'superseded' },
      chart: { metadata: { name: 'web', version: '1' } },
    },
  }) as unknown as StoredRelease

void t.test('the other revisions are shown if the manifest of one cannot be read', async (t) => {
  const manifests = [ofCore, 'kind: {', ofCore, ofCore + ofKnative]
  const views = await revisionViews(manifests.map((manifest, at) => revision(at + 1, manifest)))
  t.same(
    views.map(({ revision, changes }) => [revision, changes?.length ?? null]),
    [
      [1, null],
      [2, null],
      [3, null],
      [4, 1],
    ],
  )
})
