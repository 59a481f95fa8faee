import t from 'tap'
import { configMaps, deployments } from '../../kube/builtin.js'
import { annotationWith, notedKinds, noteOf, parseNote } from './owned-kinds.js'

const kind = { group: 'cache.my.domain' }
const annotated = (text: string) => ({ metadata: { annotations: { 'cache.my.domain/owned-kinds': text } } })
const managers = ['operator.backups', 'old-operator.backups']

void t.test('a note names a kind, and the cluster of objects without a reference', async (t) => {
  t.equal(noteOf(configMaps), 'ConfigMap')
  t.equal(noteOf(deployments, 'host'), 'host/Deployment.apps')
  t.same(parseNote('ConfigMap'), { cluster: undefined, group: '', kind: 'ConfigMap' })
  t.same(parseNote('host/Route.a.b/c'), { cluster: 'host', group: 'a.b/c', kind: 'Route' })
})

void t.test('each field manager has its own kinds, sorted and without doubles', async (t) => {
  const first = annotationWith({ metadata: {} }, kind, { managers, kinds: ['Secret', 'ConfigMap', 'Secret'] })
  t.equal(first, '{"operator.backups":["ConfigMap","Secret"]}')
  const other = annotationWith(annotated(first ?? ''), kind, { managers: ['a.b'], kinds: ['Role'] })
  t.equal(other, '{"a.b":["Role"],"operator.backups":["ConfigMap","Secret"]}')
  t.same(notedKinds(annotated(other ?? ''), kind, managers), ['ConfigMap', 'Secret'])
  t.equal(annotationWith(annotated(other ?? ''), kind, { managers, kinds: [] }), '{"a.b":["Role"]}')
  t.equal(annotationWith(annotated(first ?? ''), kind, { managers, kinds: [] }), null)
})

void t.test('the kinds of a former name are those of the controller', async (t) => {
  const object = annotated('{"old-operator.backups":["Secret"]}')
  const kinds = notedKinds(object, kind, managers)
  t.same(kinds, ['Secret'])
  t.equal(annotationWith(object, kind, { managers, kinds }), '{"operator.backups":["Secret"]}')
})

void t.test('an annotation that a person broke counts as absent', async (t) => {
  for (const text of [
    '',
    'x',
    '[]',
    'null',
    '7',
    '{"operator.backups":"Secret"}',
    '{"operator.backups":[1]}',
  ])
    t.same(notedKinds(annotated(text), kind, managers), [], text)
})
