import t from 'tap'
import { checkedImage } from './checked-image.js'

void t.test('the name of an image has no spaces and no scheme, and may be a variable of a template', (t) => {
  for (const image of [
    undefined,
    'web',
    'localhost:5000/web:v1',
    'registry.example.com/Team/web@sha256:0',
    '{{ .Values.image }}:v1',
  ])
    t.equal(checkedImage(image), image)
  for (const image of ['', 'My Image', ' web', 'https://registry.example.com/web', ':v1'])
    t.throws(() => checkedImage(image), { message: `got ${JSON.stringify(image)}` })
  t.end()
})
