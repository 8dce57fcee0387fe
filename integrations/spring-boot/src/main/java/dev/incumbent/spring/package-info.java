/**
 * Leader election for applications of Spring Boot: {@link dev.incumbent.spring.LeaderOnly} is where to begin.
 *
 * <p>Imports Spring, the library and its SQL adapters. What an application may lack (JDBC, Boot's actuator, Micrometer, Spring Integration, ShedLock) is touched by classes alone that are loaded where it is there.
 */
@NullMarked
package dev.incumbent.spring;

import org.jspecify.annotations.NullMarked;
