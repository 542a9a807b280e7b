import { Module, type DynamicModule } from '@nestjs/common';
import { DemoData } from './demo-data.js';

@Module({})
export class StorageModule {
  static of(data: DemoData): DynamicModule {
    return {
      module: StorageModule,
      global: true,
      providers: [{ provide: DemoData, useValue: data }],
      exports: [DemoData],
    };
  }
}
