/**
 * The files of an application as `nest new` of Nest 11 (CommonJS) or 12 (ES modules) writes them, without those for
 * tests and formatting.
 */
export function stockNestApp(major) {
  const extension = major === 12 ? '.js' : '';
  return {
    'package.json': json({
      name: 'shop',
      version: '0.0.1',
      private: true,
      license: 'UNLICENSED',
      ...(major === 12 && { type: 'module' }),
      scripts: { build: 'nest build', start: 'nest start', 'start:prod': 'node dist/main' },
      dependencies: {
        '@nestjs/common': `^${major}.0.1`,
        '@nestjs/core': `^${major}.0.1`,
        '@nestjs/platform-express': `^${major}.0.1`,
        'reflect-metadata': '^0.2.2',
        rxjs: '^7.8.1',
      },
      devDependencies: {
        '@nestjs/cli': `^${major}.0.0`,
        '@types/express': '^5.0.0',
        '@types/node': '^24.0.0',
        typescript: major === 12 ? '^6.0.2' : '^5.7.3',
      },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        module: 'nodenext',
        moduleResolution: 'nodenext',
        resolvePackageJsonExports: true,
        esModuleInterop: true,
        isolatedModules: true,
        declaration: true,
        removeComments: true,
        emitDecoratorMetadata: true,
        experimentalDecorators: true,
        allowSyntheticDefaultImports: true,
        target: 'ES2023',
        sourceMap: true,
        outDir: './dist',
        incremental: true,
        skipLibCheck: true,
        ...(major === 12
          ? { rootDir: './src', strict: true, strictPropertyInitialization: false, types: ['node'] }
          : { baseUrl: './', strictNullChecks: true, noImplicitAny: false }),
      },
    }),
    'nest-cli.json': json({
      $schema: 'https://json.schemastore.org/nest-cli',
      collection: '@nestjs/schematics',
      sourceRoot: 'src',
      compilerOptions: { deleteOutDir: true },
    }),
    'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module${extension}';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
${major === 12 ? 'await ' : ''}bootstrap();
`,
    'src/app.module.ts': `import { Module } from '@nestjs/common';
import { AppController } from './app.controller${extension}';
import { AppService } from './app.service${extension}';

@Module({
  imports: [],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
`,
    'src/app.controller.ts': `import { Controller, Get } from '@nestjs/common';
import { AppService } from './app.service${extension}';

@Controller()
export class AppController {
  constructor(private readonly appService: AppService) {}

  @Get()
  getHello(): string {
    return this.appService.getHello();
  }
}
`,
    'src/app.service.ts': `import { Injectable } from '@nestjs/common';

@Injectable()
export class AppService {
  getHello(): string {
    return 'Hello World!';
  }
}
`,
  };
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The file after a \`diff\` block of a page: \` …\` leaves out lines, and the first line names the file. */
export function applied(diff, text) {
  const lines = text.split('\n');
  let at = 0;
  for (const line of diff.trimEnd().split('\n').slice(1)) {
    const rest = line.slice(1);
    if (line.startsWith('+')) lines.splice(at++, 0, rest);
    else if (rest !== '…') {
      const found = lines.indexOf(rest, at);
      if (found < 0) throw new Error(`the file has no line ${JSON.stringify(rest)} there`);
      at = found + (line.startsWith('-') ? 0 : 1);
      if (line.startsWith('-')) lines.splice(found, 1);
    }
  }
  return lines.join('\n');
}
