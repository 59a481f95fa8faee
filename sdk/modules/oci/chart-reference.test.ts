import t from 'tap'
import { readReference } from './chart-reference.js'

void t.test('the URL of a chart has a host, a repository, and a tag or a digest', (t) => {
  const digest = `sha256:${'a'.repeat(64)}`
  const web = { host: 'registry.example:5000', path: 'charts/web', tag: undefined, digest: undefined }
  const read = (rest: string) => readReference(`oci://registry.example:5000/charts/web${rest}`)
  t.strictSame(read(''), web)
  t.strictSame(read(':1.2.3'), { ...web, tag: '1.2.3' })
  t.strictSame(read(':1.2.3+up.1+b'), { ...web, tag: '1.2.3_up.1_b' }, 'as helm writes it')
  t.strictSame(read(`:1.2.3@${digest}`), { ...web, tag: '1.2.3', digest })
  for (const text of [
    '',
    'web',
    'https://registry.example/web',
    'oci://registry.example',
    'oci://registry.example/a+b',
  ])
    t.equal(readReference(text), undefined, text)
  t.end()
})
