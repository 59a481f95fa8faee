// Each command of the page "to your cluster" about operators, Helm, Modules and CloudNativePG is run by a case on a
// real node. A command that is new on the page, or that its case no longer runs, fails here without a node.
import { readFile } from 'node:fs/promises'
import t from 'tap'

/** How a command of the page begins, the case that runs it, and the text in that case that does. */
const cases: readonly (readonly [command: RegExp, file: string, text: string])[] = [
  [/^docker build -t \S+ \.$/, 'program-image.ts', 'buildImage(name, '],
  [/^docker push /, 'real-node.ts', "'test/node/load'"],
  [
    /^npx vcluster-plugin manifest \. --image \S+ \| kubectl apply --server-side -f -$/,
    'cases/operator.ts',
    "['apply', '--server-side', '-f', '-'], await manifest('--image', image)",
  ],
  [/^kubectl -n my-operator-system rollout status /, 'caches-operator.ts', "'rollout', 'status'"],
  [/^npx vcluster-plugin manifest \. --image \S+ --chart /, 'cases/operator.ts', "'--chart', folder"],
  [/^helm upgrade --install my-operator chart /, 'cases/operator.ts', "'--create-namespace'"],
  [/^npx vcluster-plugin manifest \. --image \S+ --kustomize /, 'cases/operator.ts', "'--kustomize'"],
  [/^kubectl apply --server-side -k /, 'cases/operator.ts', "'apply', '--server-side', '-k', folder"],
  [
    /^docker build -t memcached-helm:v1 /,
    'cases/examples.ts',
    "'PLUGIN_ENTRY=examples/memcached-helm/main.ts'",
  ],
  [
    /^--build-arg PLUGIN_FILES='watches\.yaml charts crds' \.$/,
    'cases/examples.ts',
    "'PLUGIN_FILES=watches.yaml charts crds'",
  ],
  [
    /^kubectl patch workspace dev --type=merge -p '\{"spec":\{"hibernated":true\}\}'$/,
    'cases/modules.ts',
    "'patch', 'workspace', 'dev', '--type=merge'",
  ],
  [
    /^kubectl get module shop -o jsonpath='\{\.status\.phase\}'$/,
    'cases/modules.ts',
    "node.get('module', 'shop')).status?.phase",
  ],
  [
    /^npx vcluster-plugin manifest \. --image \S+ --self-signed \| kubectl apply --server-side -f -$/,
    'cases/cnpg.ts',
    "args: ['--self-signed']",
  ],
  [/^kubectl -n cnpg-system rollout status /, 'deploy-example.ts', "'rollout', 'status'"],
  [/^kubectl get secrets -n cnpg-system /, 'cases/cnpg.ts', "'get', 'secrets', '-n', system"],
  [/^npx vcluster-plugin manifest \. --image \S+ --renew - \|$/, 'cases/cnpg.ts', "'--renew', '-'"],
  [/^kubectl apply --server-side -f -$/, 'cases/cnpg.ts', "['apply', '--server-side', '-f', '-'], renewed"],
]

void t.test('each command of the page is run by a case', async (t) => {
  const page = await readFile('docs/guides/to-your-cluster.md', 'utf8')
  const sections = page.split(/^## /m).filter((one) => /^(An operator|A plugin for CloudNativePG)/.test(one))
  t.equal(sections.length, 4)
  const cnpg = (await readFile('docs/cnpg.md', 'utf8'))
    .split(/^### /m)
    .find((one) => one.startsWith('Without cert-manager'))
  const seen = new Set<RegExp>()
  for (const command of [...sections, cnpg ?? ''].flatMap(commandsOf)) {
    const podCase = cases.find(([pattern]) => pattern.test(command))
    if (!podCase) {
      t.fail(`no case runs: ${command}`)
      continue
    }
    const [pattern, file, text] = podCase
    seen.add(pattern)
    const source = (await readFile(`test/node/${file}`, 'utf8')).replaceAll(/\s+/g, ' ')
    t.ok(source.includes(text), `${file} runs: ${command}`)
  }
  t.equal(seen.size, cases.length, 'all commands of the list are on a page')
})

/** The lines of the blocks of commands in a text. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.trim().replace(/ \\$/, ''))
      .filter(Boolean),
  )
