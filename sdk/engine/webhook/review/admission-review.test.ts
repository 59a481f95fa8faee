import t from 'tap'
import { readAdmissionReview } from './admission-review.js'

const review = (request: object) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', ...request },
})
const withValues = (count: number) => ({ spec: { list: Array.from({ length: count }, () => ({ a: 1 })) } })

void t.test('an object of too many values is refused, whatever its predecessor has', async (t) => {
  const [many, few] = [withValues(60_000), withValues(40_000)]
  t.throws(() => readAdmissionReview(review({ operation: 'CREATE', object: many })), {
    status: 413,
    message: 'the object has more than 100000 values; store less in one object',
  })
  t.throws(() => readAdmissionReview(review({ operation: 'UPDATE', object: many, oldObject: few })))
  t.match(readAdmissionReview(review({ operation: 'UPDATE', object: few, oldObject: many })), { uid: 'u' })
  t.match(readAdmissionReview(review({ operation: 'DELETE', oldObject: many })), { uid: 'u' })
})

void t.test('an object of few values may have a null or empty member anywhere', async (t) => {
  const object = { metadata: { name: 'a' }, spec: { a: null, b: [], c: { d: [[], {}] } } }
  t.match(readAdmissionReview(review({ operation: 'CREATE', object })), { object })
})
