/** A TON Blueprint project as its maker lays it, before the recipe: what is asked of a Blueprint project, and no contract. */
const VERSIONS = {
  '@ton/blueprint': '0.46',
  '@ton/core': '0.63',
  '@ton/crypto': '3',
  '@ton/sandbox': '0.41',
  '@ton/test-utils': '0.12',
  '@ton/ton': '16',
  '@types/jest': '30',
  '@types/node': '20',
  jest: '30',
  'ts-jest': '29',
  'ts-node': '10',
  typescript: '5',
};

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Texts by the names of their files. */
export const BLUEPRINT = {
  'package.json': json({
    name: 'a-contract',
    private: true,
    scripts: { test: 'jest --verbose' },
    devDependencies: VERSIONS,
  }),
  'tsconfig.json': json({
    compilerOptions: {
      target: 'ES2020',
      outDir: 'dist',
      module: 'commonjs',
      declaration: true,
      esModuleInterop: true,
      forceConsistentCasingInFileNames: true,
      strict: true,
      skipLibCheck: true,
    },
  }),
};
