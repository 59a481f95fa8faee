import t from 'tap'
import type { AnnotationOptions } from './annotation-options.js'
import { AnnotationReader, annotationNames, defaultAnnotations } from './annotation-reader.js'

const prefix = 'helm.sdk.operatorframework.io/'
const object = (annotations: Record<string, string>) => ({ metadata: { name: 'a', annotations } })
const read = (name: string, text: string) =>
  new AnnotationReader(annotationNames).read(object({ [prefix + name]: text }))

void t.test('every annotation is read as its option', async (t) => {
  const cases: [name: string, text: string, options: AnnotationOptions][] = [
    ['install-description', 'first', { installDescription: 'first' }],
    ['upgrade-description', '', { upgradeDescription: '' }],
    ['uninstall-description', 'bye', { uninstallDescription: 'bye' }],
    ['install-disable-hooks', 'T', { installDisableHooks: true }],
    ['upgrade-disable-hooks', '0', { upgradeDisableHooks: false }],
    ['uninstall-disable-hooks', 'TRUE', { uninstallDisableHooks: true }],
    ['upgrade-force', 'f', { upgradeForce: false }],
    ['rollback-force', 'true', { rollbackForce: true }],
    ['uninstall-wait', '1', { uninstallWait: true }],
    ['abandon', 'true', { abandon: true }],
    ['timeout', '1m', { timeoutMs: 60_000 }],
    ['reconcile-period', '0s', { reconcilePeriodMs: 0 }],
    ['max-history', '0', { maxHistory: 0 }],
    ['wait', 'ready', { wait: 'ready' }],
    ['rollback-to', '3', { rollbackTo: 3 }],
    ['retry', 'again', { retry: 'again' }],
    ['renew', '2', { renew: '2' }],
  ]
  for (const [name, text, options] of cases) t.strictSame(read(name, text), { options, problems: [] }, name)
  t.equal(cases.length, Object.keys(annotationNames).length)
})

void t.test('the shortest period of an annotation is 10 s', async (t) => {
  t.strictSame(read('reconcile-period', '10s').options, { reconcilePeriodMs: 10_000 })
})

void t.test('an annotation that cannot be read changes nothing and is reported', async (t) => {
  const cases: [name: string, text: string, expected: string][] = [
    ['upgrade-force', 'yes', 'a boolean such as "true"'],
    ['install-disable-hooks', '', 'a boolean such as "true"'],
    ['timeout', '0s', 'a duration such as "1m30s" above zero'],
    ['reconcile-period', '-1s', 'a duration from "10s" on, or "0s" for never'],
    ['reconcile-period', '9.999s', 'a duration from "10s" on, or "0s" for never'],
    ['timeout', '60', 'a duration such as "1m30s" above zero'],
    ['max-history', '-1', 'a whole number from 0 on'],
    ['rollback-to', '0', 'a whole number from 1 on'],
    ['wait', 'all', '"none" or "ready" or "jobs"'],
  ]
  for (const [name, text, expected] of cases) {
    const problems = [`the annotation ${prefix}${name} is ${JSON.stringify(text)}, not ${expected}`]
    t.strictSame(read(name, text), { options: {}, problems }, `${name}: ${text}`)
  }
})

void t.test(
  'only the chosen annotations are read: by default the seven of helm-operator-plugins',
  async (t) => {
    const annotations = {
      [`${prefix}upgrade-force`]: 'true',
      [`${prefix}max-history`]: '1',
      'my.domain/force': 'true',
    }
    t.strictSame(new AnnotationReader().read(object(annotations)).options, { upgradeForce: true })
    t.equal(Object.keys(defaultAnnotations).length, 7)
    const { upgradeForce: _, ...without } = defaultAnnotations
    t.strictSame(
      new AnnotationReader(without).read(object(annotations)).options,
      {},
      'a right that was left out',
    )
    const renamed = new AnnotationReader({ upgradeForce: 'my.domain/force' })
    t.strictSame(renamed.read(object(annotations)).options, { upgradeForce: true })
    t.strictSame(new AnnotationReader({ retry: 'constructor' }).read({ metadata: {} }), {
      options: {},
      problems: [],
    })
  },
)

void t.test('a known annotation that users may not set is reported', async (t) => {
  const rollback = object({ [annotationNames.rollbackTo]: '2', 'other.domain/rollback-to': '2' })
  t.strictSame(new AnnotationReader().read(rollback), {
    options: {},
    problems: [
      `users may not set the annotation ${prefix}rollback-to: the option annotations of the program does not have it`,
    ],
  })
  t.strictSame(new AnnotationReader({ rollbackTo: annotationNames.rollbackTo }).read(rollback).problems, [])
})

void t.test('a name that is used twice is refused', async (t) => {
  t.throws(() => new AnnotationReader({ retry: 'my.domain/a', wait: 'my.domain/a' }), {
    code: 'INVALID_REGISTRATION',
    message: 'the annotation my.domain/a is used for retry and wait: rename one',
  })
})
