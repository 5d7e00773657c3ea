@org.jspecify.annotations.NullMarked
package rookery.selfcheck;
