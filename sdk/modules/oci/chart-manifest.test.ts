import t from 'tap'
import { readChallenge, tokenUrl } from './challenge.js'
import { chartLayerOf } from './chart-manifest.js'
import { digestOfContent, manifestOf } from './registry.fixture.js'

const archive = Buffer.from('chart')

void t.test('the manifest of a chart names its archive', (t) => {
  t.strictSame(chartLayerOf(manifestOf(archive), 'a'), { digest: digestOfContent(archive), size: 5 })
  t.end()
})

void t.test('a manifest of something else is refused, and says what it is', (t) => {
  const manifest = manifestOf(archive)
  const [layer] = manifest.layers
  const table: [unknown, RegExp][] = [
    [undefined, /^a is not the manifest of a chart, but of type "unknown"/],
    [{ ...manifest, mediaType: 'index' }, /but of type "index"/],
    [{ ...manifest, config: { mediaType: 'image' } }, /is not a Helm chart: its configuration is "image"/],
    [{ ...manifest, layers: [] }, /has 0 layers/],
    [{ ...manifest, layers: [layer, layer] }, /has 2 layers/],
    [{ ...manifest, layers: [{ ...layer, digest: 'sha256:../../a' }] }, /the digest of its chart is/],
  ]
  for (const [one, message] of table)
    t.throws(() => chartLayerOf(one, 'a'), { name: 'RegistryError', message })
  t.end()
})

void t.test('a challenge is read by its scheme', (t) => {
  t.strictSame(readChallenge('Basic realm="a"'), { scheme: 'basic' })
  const challenge = readChallenge('Bearer realm="https://auth.example/token",service=registry,scope="a,b"')
  t.strictSame(challenge, {
    scheme: 'bearer',
    realm: 'https://auth.example/token',
    service: 'registry',
    scope: 'a,b',
  })
  if (challenge?.scheme === 'bearer')
    t.equal(tokenUrl(challenge), 'https://auth.example/token?service=registry&scope=a%2Cb')
  for (const header of [undefined, '', 'Bearer', 'Digest realm="a"'])
    t.equal(readChallenge(header), undefined)
  t.end()
})
