// Says what a release still needs:  npm run release:check -- v0.1.0
// Without an argument it takes the tag of the workflow of a release. Exits with 1 if there is a problem.
import { releaseProblems } from './release-problems.js'

const tag = process.argv[2] ?? process.env.GITHUB_REF_NAME
if (tag === undefined) {
  console.error('Pass the tag of the release: npm run release:check -- v0.1.0')
  process.exit(2)
}
const problems = releaseProblems(process.cwd(), tag)
for (const problem of problems) console.error(problem)
const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
console.log(problems.length === 0 ? `${tag} can be published` : `${tag} cannot be published: ${count}`)
process.exitCode = problems.length === 0 ? 0 : 1
