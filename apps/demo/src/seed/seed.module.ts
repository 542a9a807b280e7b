import { Module } from '@nestjs/common';
import { HistorySeeder } from './history.seeder.js';

@Module({ providers: [HistorySeeder] })
export class SeedModule {}
