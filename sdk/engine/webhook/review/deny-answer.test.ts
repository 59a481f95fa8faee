// Tests what the webhooks of all kinds of programs share: which kind a review is about, and how a request is denied.
import t from 'tap'
import type { AdmissionRequest } from './admission-review.js'
import { checkKind } from './check-kind.js'
import { denyAnswer } from './deny-answer.js'

const request: AdmissionRequest = {
  uid: '1',
  operation: 'CREATE',
  kind: { group: 'example.org', version: 'v1', kind: 'Backup' },
  requestVersion: 'v1',
  name: '',
  namespace: 'default',
  dryRun: false,
  userInfo: { username: 'alice', groups: [] },
  object: { metadata: { generateName: 'daily-' } },
}

void t.test('an object without a name yet is called by its generateName', async (t) => {
  const refused = [
    { path: 'spec.size', message: 'too large' },
    { path: 'spec.time', message: 'in the past' },
  ]
  t.match(denyAnswer(request, refused), {
    allowed: false,
    status: {
      code: 422,
      message: 'Backup.example.org "daily-" is invalid: [spec.size: too large, spec.time: in the past]',
      details: { name: 'daily-', group: 'example.org', kind: 'Backup', causes: [{}, { field: 'spec.time' }] },
    },
  })
})

void t.test('a path without a version is for each version of its kind', async (t) => {
  const { group, kind } = request.kind
  t.doesNotThrow(() => checkKind(request, { group, kind }))
  t.doesNotThrow(() => checkKind(request, { group, version: 'v1', kind }))
  const wrongVersion = 'this path is for Backup.v2.example.org, got Backup.v1.example.org'
  t.throws(() => checkKind(request, { group, version: 'v2', kind }), { status: 400, message: wrongVersion })
  const wrongKind = 'this path is for Restore.example.org, got Backup.example.org'
  t.throws(() => checkKind(request, { group, kind: 'Restore' }), { status: 400, message: wrongKind })
})
