import { Module, type DynamicModule } from '@nestjs/common';
import { DemoData } from './demo-data.js';

@Module({})
export class DataModule {
  static of(data: DemoData): DynamicModule {
    return {
      module: DataModule,
      global: true,
      providers: [{ provide: DemoData, useValue: data }],
      exports: [DemoData],
    };
  }
}
