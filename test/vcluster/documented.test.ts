import t from 'tap'
import { blocksOf, documentedBlocks, sectionsOf } from './documented.js'

const guide = 'docs/guides/to-your-cluster.md'
const ownSections = [
  '## A plugin of a vcluster',
  "### Inside vcluster's container",
  '## Upgrade and roll back',
  '## Move an operator to another namespace',
]

void t.test(
  'every block of commands about plugins of a vcluster, upgrades and moves is one that a case runs',
  async (t) => {
    const pages = { 'docs/install.md': [...sectionsOf('docs/install.md').keys()], [guide]: ownSections }
    const found = Object.entries(pages).flatMap(([page, sections]) =>
      sections.flatMap((section) => blocksOf(page, section).map((_, index) => ({ page, section, index }))),
    )
    const key = ({ page, section, index }: (typeof found)[0]) => `${page} ${section} ${index}`
    t.strictSame(found.map(key).sort(), documentedBlocks.map(key).sort())
  },
)
